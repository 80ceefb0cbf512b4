#include "flatbed_lcms.h"

#include <lcms2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flatbed_lcms_transform {
  cmsContext context;
  cmsHTRANSFORM handle;
  int input_channels;
};

static void keep_message(cmsContext context, cmsUInt32Number code, const char *text) {
  (void)code;
  flatbed_status *status = cmsGetContextUserData(context);
  // The first message names the cause, later ones its consequences.
  if (status && !status->message[0]) snprintf(status->message, sizeof status->message, "%s", text);
}

static flatbed_lcms_transform *fail(flatbed_status *status, int code, const char *text) {
  status->code = code;
  if (!status->message[0]) snprintf(status->message, sizeof status->message, "%s", text);
  return NULL;
}

static int channels_of(cmsColorSpaceSignature space) {
  switch (space) {
    case cmsSigGrayData: return 1;
    case cmsSigRgbData: return 3;
    case cmsSigCmykData: return 4;
    default: return 0;
  }
}

/// Builds the transform and closes `source`. The error handler keeps `status` only while this file's functions run.
static flatbed_lcms_transform *make(cmsContext context, cmsHPROFILE source, int channels, int alpha, int sixteen,
                                    flatbed_status *status) {
  int profile_channels = channels_of(cmsGetColorSpace(source));
  cmsProfileClassSignature kind = cmsGetDeviceClass(source);
  int usable = kind == cmsSigInputClass || kind == cmsSigDisplayClass || kind == cmsSigOutputClass ||
               kind == cmsSigColorSpaceClass;
  if (!usable || !(profile_channels == channels || (channels == 1 && profile_channels == 3))) {
    cmsCloseProfile(source);
    return fail(status, flatbed_lcms_mismatch, "the profile is for another kind of picture");
  }
  static const unsigned spaces[] = {0, PT_GRAY, 0, PT_RGB, PT_CMYK};
  cmsUInt32Number format = COLORSPACE_SH(spaces[profile_channels]) | CHANNELS_SH((unsigned)profile_channels) |
                           EXTRA_SH(alpha ? 1u : 0u) | BYTES_SH(sixteen ? 2u : 1u);
  cmsHPROFILE target = cmsCreate_sRGBProfileTHR(context);
  cmsHTRANSFORM handle = NULL;
  if (target)
    handle = cmsCreateTransformTHR(context, source, format, target, TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
                                   cmsFLAGS_BLACKPOINTCOMPENSATION);
  if (target) cmsCloseProfile(target);
  cmsCloseProfile(source);
  if (!handle) return fail(status, flatbed_lcms_broken, "the profile can't be used");
  flatbed_lcms_transform *transform = calloc(1, sizeof *transform);
  if (!transform) {
    cmsDeleteTransform(handle);
    return fail(status, flatbed_lcms_broken, "no memory");
  }
  transform->context = context;
  transform->handle = handle;
  transform->input_channels = profile_channels;
  return transform;
}

/// A context whose errors go to `status` and not to the process-wide handler.
static cmsContext begin(flatbed_status *status) {
  memset(status, 0, sizeof *status);
  cmsContext context = cmsCreateContext(NULL, status);
  if (context)
    cmsSetLogErrorHandlerTHR(context, keep_message);
  else
    fail(status, flatbed_lcms_broken, "no memory");
  return context;
}

static flatbed_lcms_transform *end(cmsContext context, flatbed_lcms_transform *transform) {
  // Errors while converting have nowhere to go: the caller's status is gone by then.
  if (transform)
    cmsSetLogErrorHandlerTHR(context, NULL);
  else
    cmsDeleteContext(context);
  return transform;
}

flatbed_lcms_transform *flatbed_lcms_create(const uint8_t *profile, size_t length, int channels, int alpha,
                                            int sixteen, flatbed_status *status) {
  cmsContext context = begin(status);
  if (!context) return NULL;
  cmsHPROFILE source = NULL;
  if (length <= UINT32_MAX) source = cmsOpenProfileFromMemTHR(context, profile, (cmsUInt32Number)length);
  if (!source) return end(context, fail(status, flatbed_lcms_broken, "it isn't an ICC profile"));
  return end(context, make(context, source, channels, alpha, sixteen, status));
}

flatbed_lcms_transform *flatbed_lcms_create_calibrated(const flatbed_lcms_calibration *calibration, int channels,
                                                       int alpha, int sixteen, flatbed_status *status) {
  cmsContext context = begin(status);
  if (!context) return NULL;
  cmsToneCurve *curve = calibration->power > 0 ? cmsBuildGamma(context, calibration->power)
                                               : cmsBuildParametricToneCurve(context, 4, calibration->parameters);
  if (!curve) return end(context, fail(status, flatbed_lcms_broken, "an impossible tone curve"));
  cmsCIExyY white = {calibration->white[0], calibration->white[1], 1};
  cmsHPROFILE source;
  if (channels == 1) {
    source = cmsCreateGrayProfileTHR(context, &white, curve);
  } else {
    cmsCIExyYTRIPLE primaries = {{calibration->red[0], calibration->red[1], 1},
                                 {calibration->green[0], calibration->green[1], 1},
                                 {calibration->blue[0], calibration->blue[1], 1}};
    cmsToneCurve *curves[3] = {curve, curve, curve};
    source = cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
  }
  cmsFreeToneCurve(curve);
  if (!source) return end(context, fail(status, flatbed_lcms_broken, "impossible primaries"));
  return end(context, make(context, source, channels, alpha, sixteen, status));
}

int flatbed_lcms_input_channels(const flatbed_lcms_transform *transform) { return transform->input_channels; }

void flatbed_lcms_apply(flatbed_lcms_transform *transform, const void *input, uint8_t *output, size_t pixels) {
  const cmsUInt32Number most = 1u << 24;
  cmsUInt32Number format = cmsGetTransformInputFormat(transform->handle);
  size_t pixel_bytes = (size_t)T_BYTES(format) * (T_CHANNELS(format) + T_EXTRA(format));
  const uint8_t *from = input;
  while (pixels > 0) {
    cmsUInt32Number now = pixels < most ? (cmsUInt32Number)pixels : most;
    cmsDoTransform(transform->handle, from, output, now);
    from += now * pixel_bytes;
    output += 3 * (size_t)now;
    pixels -= now;
  }
}

void flatbed_lcms_destroy(flatbed_lcms_transform *transform) {
  cmsContext context = transform->context;
  cmsDeleteTransform(transform->handle);
  free(transform);
  cmsDeleteContext(context);
}
