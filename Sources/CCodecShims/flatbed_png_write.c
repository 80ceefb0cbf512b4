#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

#include "flatbed_png.h"

// Chosen on 12-megapixel pages, noisy photos as well as cleaned ones: runs of equal bytes over differences to the row
// above are found about as fast as no compression at all, and the files are as small as with slower settings.
enum { filter = PNG_FILTER_UP, level = 1, strategy = Z_RLE };

// One chunk of compressed data for each so many bytes.
static const size_t chunk_bytes = 1 << 18;

typedef struct writer {
  uint8_t *bytes;
  size_t length;
  size_t capacity;
  flatbed_status *status;
} writer;

static void on_error(png_structp png, png_const_charp message) {
  writer *w = png_get_error_ptr(png);
  w->status->code = flatbed_png_failed;
  snprintf(w->status->message, sizeof w->status->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void write_bytes(png_structp png, png_bytep source, size_t count) {
  writer *w = png_get_io_ptr(png);
  if (count > w->capacity - w->length) {
    size_t capacity = w->capacity ? w->capacity : chunk_bytes;
    while (capacity - w->length < count) {
      if (capacity > SIZE_MAX / 2) png_error(png, "no memory");
      capacity *= 2;
    }
    uint8_t *grown = realloc(w->bytes, capacity);
    if (!grown) png_error(png, "no memory");
    w->bytes = grown;
    w->capacity = capacity;
  }
  memcpy(w->bytes + w->length, source, count);
  w->length += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static void write_picture(png_structp png, png_infop info, const flatbed_png_picture *picture) {
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
               picture->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (picture->pixels_per_metre_x && picture->pixels_per_metre_y)
    png_set_pHYs(png, info, picture->pixels_per_metre_x, picture->pixels_per_metre_y, PNG_RESOLUTION_METER);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, filter);
  png_set_compression_level(png, level);
  png_set_compression_strategy(png, strategy);
  png_set_compression_buffer_size(png, chunk_bytes);
  png_write_info(png, info);
  const size_t stride = picture->width * (size_t)picture->channels;
  for (size_t row = 0; row < picture->height; row++) png_write_row(png, picture->samples + row * stride);
  png_write_end(png, NULL);
}

uint8_t *flatbed_png_encode(const flatbed_png_picture *picture, size_t *length, flatbed_status *status) {
  memset(status, 0, sizeof *status);
  *length = 0;
  if (picture->width > PNG_UINT_31_MAX || picture->height > PNG_UINT_31_MAX) {
    status->code = flatbed_png_failed;
    snprintf(status->message, sizeof status->message, "too large for a PNG");
    return NULL;
  }
  // On the heap, so that it survives the jump.
  writer *w = calloc(1, sizeof *w);
  png_structp png = NULL;
  png_infop info = NULL;
  if (w) {
    w->status = status;
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_error, on_warning);
  }
  if (png) info = png_create_info_struct(png);
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    free(w);
    status->code = flatbed_png_out_of_memory;
    snprintf(status->message, sizeof status->message, "no memory");
    return NULL;
  }
  png_set_write_fn(png, w, write_bytes, flush_nothing);
  if (!setjmp(png_jmpbuf(png))) write_picture(png, info, picture);
  png_destroy_write_struct(&png, &info);
  uint8_t *bytes = w->bytes;
  if (status->code) {
    free(bytes);
    bytes = NULL;
  } else {
    *length = w->length;
  }
  free(w);
  return bytes;
}

void flatbed_png_free(uint8_t *bytes) { free(bytes); }
