#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "flatbed_png.h"

// Limits on what a file may make the library keep beside the picture. Color profiles are the largest chunks that matter.
static const png_alloc_size_t largest_chunk = 16 << 20;
static const png_uint_32 most_cached_chunks = 128;

struct flatbed_png_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t length;
  size_t position;
  int truncated;
  flatbed_status *status;  // Of the call that runs.
  flatbed_png_progress progress;
  flatbed_png_info header;
};

static void on_error(png_structp png, png_const_charp message) {
  flatbed_png_reader *reader = png_get_error_ptr(png);
  reader->status->code = reader->truncated ? flatbed_png_truncated : flatbed_png_failed;
  snprintf(reader->status->message, sizeof reader->status->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  flatbed_png_progress *progress = &((flatbed_png_reader *)png_get_error_ptr(png))->progress;
  if (!progress->warnings++) snprintf(progress->warning_message, sizeof progress->warning_message, "%s", message);
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  flatbed_png_reader *reader = png_get_io_ptr(png);
  if (count > reader->length - reader->position) {
    reader->truncated = 1;
    png_error(png, "the file ends");
  }
  memcpy(target, reader->bytes + reader->position, count);
  reader->position += count;
}

flatbed_png_reader *flatbed_png_create(const uint8_t *bytes, size_t length, int tolerant, flatbed_status *status) {
  memset(status, 0, sizeof *status);
  flatbed_png_reader *reader = calloc(1, sizeof *reader);
  if (!reader) {
    status->code = flatbed_png_out_of_memory;
    return NULL;
  }
  reader->bytes = bytes;
  reader->length = length;
  reader->status = status;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    flatbed_png_destroy(reader);
    status->code = flatbed_png_out_of_memory;
    return NULL;
  }
  png_set_read_fn(reader->png, reader, read_bytes);
  // Sizes are checked by the caller, against a limit on pixels.
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, largest_chunk);
  png_set_chunk_cache_max(reader->png, most_cached_chunks);
#if defined(PNG_SET_OPTION_SUPPORTED) && defined(PNG_SKIP_sRGB_CHECK_PROFILE)
  // Its warnings about known sRGB profiles tell a user nothing; profiles are judged by what they do.
  png_set_option(reader->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
#endif
  if (tolerant) png_set_crc_action(reader->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  return reader;
}

/// Has the library expand everything to 8 or 16 bits of grey or RGB, with alpha where there is any.
static void set_transforms(flatbed_png_reader *reader) {
  png_structp png = reader->png;
  png_set_expand(png);
  const uint16_t probe = 1;
  if (png_get_bit_depth(png, reader->info) == 16 && *(const uint8_t *)&probe) png_set_swap(png);
  reader->header.passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
}

static void read_color(flatbed_png_reader *reader) {
  png_structp png = reader->png;
  flatbed_png_info *header = &reader->header;
  png_charp name;
  int compression, intent, unit;
  png_bytep profile;
  png_uint_32 length, x, y;
  if (png_get_iCCP(png, reader->info, &name, &compression, &profile, &length)) {
    header->profile = profile;
    header->profile_length = length;
  }
  header->has_srgb = png_get_sRGB(png, reader->info, &intent) != 0;
  if (!png_get_gAMA(png, reader->info, &header->gamma)) header->gamma = 0;
  double *c = header->chromaticities;
  header->has_chromaticities =
      png_get_cHRM(png, reader->info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
  if (png_get_pHYs(png, reader->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) {
    header->pixels_per_metre_x = x;
    header->pixels_per_metre_y = y;
  }
}

int flatbed_png_read_header(flatbed_png_reader *reader, flatbed_png_info *info, flatbed_status *status) {
  memset(status, 0, sizeof *status);
  reader->status = status;
  if (setjmp(png_jmpbuf(reader->png))) return status->code;
  png_read_info(reader->png, reader->info);
  read_color(reader);
  set_transforms(reader);
  reader->header.width = png_get_image_width(reader->png, reader->info);
  reader->header.height = png_get_image_height(reader->png, reader->info);
  reader->header.channels = png_get_channels(reader->png, reader->info);
  reader->header.bit_depth = png_get_bit_depth(reader->png, reader->info);
  *info = reader->header;
  return 0;
}

/// Reads what follows the picture. It is whole by now, so nothing found here can hurt it.
static void read_end(flatbed_png_reader *reader) {
  flatbed_status ignored;
  reader->status = &ignored;
  if (setjmp(png_jmpbuf(reader->png))) {
    reader->progress.end_missing = 1;
    return;
  }
  png_read_end(reader->png, NULL);
}

int flatbed_png_read_rows(flatbed_png_reader *reader, uint8_t *output, size_t count, flatbed_status *status) {
  memset(status, 0, sizeof *status);
  reader->status = status;
  if (setjmp(png_jmpbuf(reader->png))) return status->code;
  flatbed_png_progress *progress = &reader->progress;
  const size_t stride = png_get_rowbytes(reader->png, reader->info);
  const size_t height = reader->header.height;
  if (reader->header.passes > 1) {
    if (progress->row > 0 || progress->pass > 0 || count != height) png_error(reader->png, "interlaced rows come together");
    for (; progress->pass < reader->header.passes; progress->pass++)
      for (progress->row = 0; progress->row < height; progress->row++)
        png_read_row(reader->png, NULL, output + progress->row * stride);
  } else {
    if (count > height - progress->row) png_error(reader->png, "there are not so many rows");
    for (size_t done = 0; done < count; done++, progress->row++) png_read_row(reader->png, output + done * stride, NULL);
    if (progress->row < height) return 0;
  }
  progress->whole = 1;
  read_end(reader);
  return 0;
}

void flatbed_png_get_progress(const flatbed_png_reader *reader, flatbed_png_progress *progress) {
  *progress = reader->progress;
}

void flatbed_png_destroy(flatbed_png_reader *reader) {
  if (reader->png) png_destroy_read_struct(&reader->png, reader->info ? &reader->info : NULL, NULL);
  free(reader);
}
