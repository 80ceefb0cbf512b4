#pragma once

#include <stddef.h>
#include <stdint.h>

#include "flatbed_status.h"

/// How a JPEG is to be decoded.
typedef struct flatbed_jpeg_request {
  int reduction;       ///< 1, 2, 4 or 8.
  int channels;        ///< Samples per pixel of the output: 1 grey, 3 RGB, 4 inks as stored.
  int assume_ycck;     ///< Take four components as YCCK although no Adobe marker says so.
  int stop_at_damage;  ///< Give up at the first sign of damage.
  int most_scans;      ///< More scans than this are refused.
  size_t width;        ///< Of the output; must be what the header and the reduction give.
  size_t height;
  size_t first_row;    ///< Rows before it are passed over, which only a picture of one scan allows.
  size_t end_row;      ///< The row behind the last that is wanted.
  size_t rows_before;  ///< How many rows before it are written all the same, to `before`.
} flatbed_jpeg_request;

/// What `flatbed_status.code` says when decoding stopped.
enum {
  flatbed_jpeg_failed = 1,          ///< The library refused the file; `message` is its own.
  flatbed_jpeg_out_of_memory = 2,
  flatbed_jpeg_too_many_scans = 3,
  flatbed_jpeg_stopped = 4,         ///< Stopped at damage, as asked; the report tells where.
};

/// What was noticed while decoding.
typedef struct flatbed_jpeg_report {
  int damaged;               ///< Whether data are damaged or missing.
  int data_ended;            ///< Whether it is because the data end early.
  size_t row;                ///< Full-size row from which on data are damaged or missing.
  int pass;                  ///< The scan this row is in, from 1, when there are several; else 0.
  int coarse_whole;          ///< A scan over all rows was read whole, so that each row shows something.
  char message[200];         ///< The library's words for the damage.
  int end_marker_missing;    ///< The picture is whole, but its end marker isn't there.
  int details_missing;       ///< A progressive picture ends properly without all its details.
  int harmless;              ///< Other things the library warned of.
  char harmless_message[200];
  size_t whole_bytes;        ///< Bytes read up to the last scan or row that was read whole.
} flatbed_jpeg_report;

/// Decodes the first picture of a JPEG into `output`, rows of `width × channels` bytes, of which it writes those that are wanted.
///
/// `before` may be null when no rows before the first are wanted. Rows that were not reached are left as they were. Returns 0, or the code that is also in `status`.
int flatbed_jpeg_decode(const uint8_t *_Nonnull bytes, size_t length, const flatbed_jpeg_request *_Nonnull request,
                        uint8_t *_Nonnull output, uint8_t *_Nullable before,
                        flatbed_jpeg_report *_Nonnull report, flatbed_status *_Nonnull status);

/// Whether the library was built with arithmetic decoding.
int flatbed_jpeg_has_arithmetic(void);
