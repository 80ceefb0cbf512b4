#pragma once

#include <stddef.h>
#include <stdint.h>

#include "flatbed_status.h"

/// Reads one PNG from memory.
typedef struct flatbed_png_reader flatbed_png_reader;

/// What `flatbed_status.code` says when reading stopped.
enum {
  flatbed_png_failed = 1,     ///< The library refused the file; `message` is its own.
  flatbed_png_truncated = 2,  ///< The bytes end.
  flatbed_png_out_of_memory = 3,
};

/// What the chunks before the picture tell, after palettes, low bit depths and tRNS were expanded.
typedef struct flatbed_png_info {
  size_t width;
  size_t height;
  int channels;   ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
  int bit_depth;  ///< 8, or 16 in the machine's byte order.
  int passes;     ///< 1, or 7 when interlaced.
  int has_srgb;
  double gamma;  ///< gAMA's value, or 0.
  int has_chromaticities;
  double chromaticities[8];  ///< White, red, green, blue: x and y of each.
  double pixels_per_metre_x;  ///< 0 when not told.
  double pixels_per_metre_y;
  const uint8_t *_Nullable profile;  ///< Belongs to the reader.
  size_t profile_length;
} flatbed_png_info;

/// How far reading came.
typedef struct flatbed_png_progress {
  size_t row;                 ///< Rows of the current pass that are done.
  int pass;                   ///< From 0.
  int whole;                  ///< All rows of all passes are done.
  int end_missing;            ///< The picture is whole, but what follows it is broken or missing.
  int warnings;
  char warning_message[200];  ///< The first warning.
} flatbed_png_progress;

/// `bytes` must outlive the reader. With `tolerant`, checksums that don't match only give warnings.
flatbed_png_reader *_Nullable flatbed_png_create(const uint8_t *_Nonnull bytes, size_t length, int tolerant,
                                                 flatbed_status *_Nonnull status);

/// Reads all chunks before the picture. Nothing of the picture's size is allocated.
int flatbed_png_read_header(flatbed_png_reader *_Nonnull reader, flatbed_png_info *_Nonnull info,
                            flatbed_status *_Nonnull status);

/// Reads the next `count` rows, of `width × channels × bit_depth / 8` bytes each; all at once when the picture is interlaced.
///
/// Interlaced rows are filled out from the first pass on.
int flatbed_png_read_rows(flatbed_png_reader *_Nonnull reader, uint8_t *_Nonnull output, size_t count,
                          flatbed_status *_Nonnull status);

void flatbed_png_get_progress(const flatbed_png_reader *_Nonnull reader, flatbed_png_progress *_Nonnull progress);

void flatbed_png_destroy(flatbed_png_reader *_Nonnull reader);
