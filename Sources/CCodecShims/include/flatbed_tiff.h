#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flatbed_status.h"

#pragma clang assume_nonnull begin

/// A TIFF file in memory, open in libtiff.
typedef struct flatbed_tiff flatbed_tiff;

/// The most samples of a pixel that `flatbed_tiff_page` tells the kinds of.
#define FLATBED_TIFF_MAX_EXTRA 16

/// The tags of a page that decoding depends on, with TIFF's defaults where the file is silent.
typedef struct flatbed_tiff_page {
  uint32_t width, height;
  uint16_t bits_per_sample, samples_per_pixel;
  uint16_t photometric, compression, fill_order, sample_format, orientation, ink_set;
  bool is_planar, is_tiled;
  /// JPEG in YCbCr comes out of libtiff as RGB.
  bool is_converted_to_rgb;
  /// A strip's or tile's columns and rows; the last strip may have fewer rows.
  uint32_t block_width, block_height;
  /// Strips or tiles in one plane, or in the page when it isn't planar.
  uint32_t blocks_per_plane;
  /// Bytes of one decoded row of a block, and of a whole block.
  uint64_t block_row_bytes, block_bytes;
  /// How many samples follow the color, and what they are: 0 unknown, 1 premultiplied alpha, 2 plain alpha.
  uint16_t extra_count;
  uint16_t extra_kinds[FLATBED_TIFF_MAX_EXTRA];
  /// 0 when not given. The unit is 1 none, 2 inch, 3 centimetre.
  float x_resolution, y_resolution;
  uint16_t resolution_unit;
  /// Belongs to the reader and lives until the next page is read or the reader is closed.
  const uint8_t *_Nullable icc;
  uint32_t icc_size;
  /// `1 << bits_per_sample` entries each, living as long as `icc`.
  const uint16_t *_Nullable palette_red, *_Nullable palette_green, *_Nullable palette_blue;
} flatbed_tiff_page;

/// Opens `size` bytes, which must outlive the reader. No directory is read yet.
///
/// libtiff refuses to allocate more than `allocation_limit` bytes at a time.
flatbed_tiff *_Nullable flatbed_tiff_open(
    const uint8_t *bytes, size_t size, uint64_t allocation_limit, flatbed_status *status);

void flatbed_tiff_close(flatbed_tiff *_Nullable tiff);

/// Whether libtiff has a decoder for a compression tag.
bool flatbed_tiff_decodes(uint16_t compression);

/// Makes the directory at `offset` the current page and reads its tags.
bool flatbed_tiff_read_page(
    flatbed_tiff *tiff, uint64_t offset, flatbed_tiff_page *page, flatbed_status *status);

/// How the decoding of a block ended.
typedef enum flatbed_tiff_block {
  flatbed_tiff_block_whole,
  /// The block's bytes lie behind the end of the file, wholly or in part, and what is there didn't suffice.
  flatbed_tiff_block_cut,
  flatbed_tiff_block_damaged,
} flatbed_tiff_block;

/// Decodes the first `output_size` bytes, whole rows, of a strip or tile of the current page.
///
/// `status` says what is wrong when the block isn't whole; `output` holds nothing to rely on then.
flatbed_tiff_block flatbed_tiff_decode_block(
    flatbed_tiff *tiff, uint32_t block, uint8_t *output, size_t output_size, flatbed_status *status);

/// How many lines of the current page the fax decoder found broken and went on behind, as far as it was decoded.
unsigned flatbed_tiff_bad_lines(const flatbed_tiff *tiff);

/// Decodes `rows` rows from `first_row` on to RGBA with libtiff's own conversion, in stored order.
///
/// `first_row` is the first of a strip or of a row of tiles. `output` takes 4 bytes a pixel.
bool flatbed_tiff_decode_rgba(
    flatbed_tiff *tiff, uint32_t first_row, uint32_t rows, uint32_t *output, flatbed_status *status);

#pragma clang assume_nonnull end
