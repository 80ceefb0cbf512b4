#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flatbed_status.h"

#pragma clang assume_nonnull begin

/// A HEIF file in memory, open in libheif, with one of its pictures selected and perhaps decoded.
typedef struct flatbed_heif flatbed_heif;

/// What `flatbed_status.code` says of a HEIF file beside 0 for success.
enum {
  flatbed_heif_damaged = 1,
  /// A kind of file or picture that libheif doesn't read.
  flatbed_heif_unsupported = 2,
  flatbed_heif_cut = 3,
  flatbed_heif_too_large = 4,
};

/// What the header says about the selected picture.
typedef struct flatbed_heif_info {
  /// After the container's rotation, mirroring and cropping, which libheif applies.
  int width, height;
  /// As coded, before them.
  int coded_width, coded_height;
  int bits;
  bool has_alpha, is_premultiplied;
  /// Pictures that stand for themselves in the file, the primary one included.
  int picture_count;
  size_t icc_size, exif_size;
  /// Numbers of ITU-T H.273, 0 when the file has no nclx profile.
  int primaries, transfer;
} flatbed_heif_info;

/// Opens `size` bytes, which must outlive the reader, and selects the primary picture.
flatbed_heif *_Nullable flatbed_heif_open(const uint8_t *bytes, size_t size, flatbed_status *status);

void flatbed_heif_close(flatbed_heif *_Nullable heif);

/// Selects another item of the file, a tile for example.
bool flatbed_heif_select(flatbed_heif *heif, uint32_t item, flatbed_status *status);

void flatbed_heif_read_info(flatbed_heif *heif, flatbed_heif_info *info);

/// Copies the ICC profile, `icc_size` bytes.
bool flatbed_heif_copy_icc(flatbed_heif *heif, uint8_t *output);

/// Copies the EXIF block, `exif_size` bytes: four bytes of offset and then the block.
bool flatbed_heif_copy_exif(flatbed_heif *heif, uint8_t *output);

/// The samples of a decoded picture, interleaved RGB or RGBA; they belong to the reader.
typedef struct flatbed_heif_pixels {
  const uint8_t *_Nullable samples;
  /// Bytes from one row to the next.
  size_t stride;
  int width, height;
  /// 8, or more for 16-bit words in the machine's byte order with the value in their low bits.
  int bits;
} flatbed_heif_pixels;

/// Decodes the selected picture to RGB, with opacity when `with_alpha`, as words when `as_words`.
///
/// Sides of `side_limit` and more are refused before their samples are allocated. `is_raw` leaves rotation, mirroring
/// and cropping out.
bool flatbed_heif_decode(
    flatbed_heif *heif, bool with_alpha, bool as_words, bool is_raw, int side_limit, flatbed_heif_pixels *pixels,
    flatbed_status *status);

#pragma clang assume_nonnull end
