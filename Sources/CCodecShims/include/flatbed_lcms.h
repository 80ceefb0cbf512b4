#pragma once

#include <stddef.h>
#include <stdint.h>

#include "flatbed_status.h"

/// Color conversion to 8-bit sRGB by LittleCMS.
typedef struct flatbed_lcms_transform flatbed_lcms_transform;

/// What `flatbed_status.code` says after a transform could not be made.
enum {
  flatbed_lcms_broken = 1,    ///< The profile can't be read, or not be used.
  flatbed_lcms_mismatch = 2,  ///< The profile is for another number of channels.
};

/// Primaries in CIE xy, and a tone curve: a power, or with `power` 0 the parameters of an ICC parametric curve of type 4.
typedef struct flatbed_lcms_calibration {
  double white[2];
  double red[2];
  double green[2];
  double blue[2];
  double power;
  double parameters[5];
} flatbed_lcms_calibration;

/// Makes a transform from an ICC profile for pictures of `channels` (1, 3 or 4 for inks) channels, or returns NULL.
///
/// Relative colorimetric with black point compensation. `alpha` tells that an alpha sample follows the color, which is
/// skipped. A picture of 1 channel may have an RGB profile: its grey is then taken as equal red, green and blue.
flatbed_lcms_transform *_Nullable flatbed_lcms_create(const uint8_t *_Nonnull profile, size_t length, int channels,
                                                      int alpha, int sixteen, flatbed_status *_Nonnull status);

/// The same from primaries and a tone curve, for 1 or 3 channels.
flatbed_lcms_transform *_Nullable flatbed_lcms_create_calibrated(const flatbed_lcms_calibration *_Nonnull calibration,
                                                                 int channels, int alpha, int sixteen,
                                                                 flatbed_status *_Nonnull status);

/// Color samples of an input pixel, without alpha: a grey picture with an RGB profile wants 3.
int flatbed_lcms_input_channels(const flatbed_lcms_transform *_Nonnull transform);

/// Converts `pixels` pixels to 3 bytes each. `output` may be `input` when pixels have the same size.
void flatbed_lcms_apply(flatbed_lcms_transform *_Nonnull transform, const void *_Nonnull input,
                        uint8_t *_Nonnull output, size_t pixels);

void flatbed_lcms_destroy(flatbed_lcms_transform *_Nonnull transform);
