#include <string.h>

#include "CPNGKernels.h"

#define INLINE static inline __attribute__((always_inline))

/// A pixel of each row, four bytes for each.
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint32_t pixels_of_rows __attribute__((vector_size(16)));

INLINE uint32_t load(const uint8_t *from) {
  uint32_t value;
  memcpy(&value, from, sizeof value);
  return value;
}

/// What is larger in one than in the other, else 0.
INLINE bytes excess(bytes one, bytes other) { return __builtin_elementwise_sub_sat(one, other); }

INLINE bytes choose(bytes mask, bytes one, bytes other) { return (mask & one) | (~mask & other); }

/// Whichever of left, up and corner is nearest to left + up − corner, in bytes alone: see `RowFilter.paeth`.
INLINE bytes paeth(bytes left, bytes up, bytes corner) {
  const bytes up_more = excess(up, corner), left_more = excess(left, corner);
  const bytes for_left = up_more | excess(corner, up), for_up = left_more | excess(corner, left);
  const bytes same_way = (bytes)((bytes)(up_more == 0) == (bytes)(left_more == 0));
  const bytes for_corner = same_way | excess(for_left, for_up) | excess(for_up, for_left);
  const bytes nearest = __builtin_elementwise_min(for_left, for_up);
  const bytes sideways = choose((bytes)(nearest == for_left), left, up);
  return choose((bytes)(__builtin_elementwise_min(nearest, for_corner) == nearest), sideways, corner);
}

INLINE void undo(const uint8_t *filtered, size_t pitch, const uint8_t *above, size_t pixels, size_t channels,
                 uint8_t *rows) {
  const size_t row_pitch = pixels * channels;
  // Pixels behind the one that is written that the four bytes reach into.
  const size_t spilled = (sizeof(uint32_t) - 1) / channels;
  bytes left = {0}, corner = {0};
  for (size_t step = 0; step < pixels + flatbed_paeth_rows - 1; step++) {
    // At the end of a row no more is written than there is: the next row has begun.
    const int all = step >= flatbed_paeth_rows - 1 && step + spilled < pixels;
    pixels_of_rows differences = {0};
#pragma clang loop unroll(full)
    for (size_t row = 0; row < flatbed_paeth_rows; row++)
      if (all || (step >= row && step - row < pixels))
        differences[row] = load(filtered + row * pitch + (step - row) * channels);
    // The row above each is the one before it, a pixel ago.
    pixels_of_rows before = (pixels_of_rows)left;
    const uint32_t first = step < pixels ? load(above + step * channels) : 0;
    const bytes up = (bytes)(pixels_of_rows){first, before[0], before[1], before[2]};
    left = (bytes)differences + paeth(left, up, corner);
    corner = up;
    const pixels_of_rows found = (pixels_of_rows)left;
#pragma clang loop unroll(full)
    for (size_t row = 0; row < flatbed_paeth_rows; row++)
      if (all || (step >= row && step - row < pixels)) {
        const uint32_t pixel = found[row];
        memcpy(rows + row * row_pitch + (step - row) * channels, &pixel, all ? sizeof pixel : channels);
      }
  }
}

void flatbed_undo_paeth(const uint8_t *filtered, size_t pitch, const uint8_t *above, size_t pixels, int channels,
                        uint8_t *rows) {
  if (channels == 3)
    undo(filtered, pitch, above, pixels, 3, rows);
  else
    undo(filtered, pitch, above, pixels, 1, rows);
}
