#pragma once

#include <stddef.h>
#include <stdint.h>

// Cubic interpolation of 16 pixels at once. Each function gives, bit for bit, what `PhotoSampler` gives in plain Swift;
// they need AVX2 and are only called where `flatbed_cubic_available` says so.

/// Pixels that one call makes.
enum { flatbed_cubic_block = 16 };

/// The photo to read from.
typedef struct flatbed_cubic_photo {
  const uint8_t *_Nonnull samples;
  size_t stride;                    ///< Bytes in a row.
  int channels;                     ///< 1 or 3.
  const int16_t *_Nonnull weights;  ///< Four for each of 256 places between two samples, in units of 2⁻¹¹.
} flatbed_cubic_photo;

/// A row of points (u/w, v/w) in the photo, in 1/256 pixels, counted from the middle of the first pixel.
typedef struct flatbed_cubic_row {
  double u, v, w;                 ///< The first point.
  double step_u, step_v, step_w;  ///< From one to the next.
} flatbed_cubic_row;

/// Whether this processor can run the functions below.
int flatbed_cubic_available(void);

/// Writes the pixels at 16 points, which lie so far inside the photo that 16 bytes can be read at each of the four rows around them.
void flatbed_cubic_write(const flatbed_cubic_photo *_Nonnull photo, const flatbed_cubic_row *_Nonnull row,
                         uint8_t *_Nonnull target);

/// Writes 16 pixels, each the mean of the samples at `count` such points, one in each of the rows.
///
/// The mean is the sum, in units of 2⁻²², times `factor` plus `bias`, cut to a whole number from 0 to 255.
void flatbed_cubic_mean(const flatbed_cubic_photo *_Nonnull photo, const flatbed_cubic_row *_Nonnull rows, size_t count,
                        double factor, double bias, uint8_t *_Nonnull target);
