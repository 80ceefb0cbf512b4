// The least that any program does which makes a PNG of a JPEG: libjpeg decodes it, and pixels of the result's size are filtered by Up and
// packed by libdeflate's fastest level. Nothing is done with the photo in between. One thread.
//
// usage: floor PHOTO.jpg RUNS PAGE.png
// PAGE.png gives the pixels; how long libpng takes to read it is told, too.
// Prints one JSON object: milliseconds of processor time of each run, the PNG's size in bytes and the page's in pixels.

#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <png.h>

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void *needed(void *memory) {
  if (memory) return memory;
  fputs("no memory\n", stderr);
  exit(1);
}

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(1);
  }
  *length = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = needed(malloc(*length));
  if (fread(bytes, 1, *length, file) != *length) exit(1);
  fclose(file);
  return bytes;
}

static void decode(const uint8_t *bytes, size_t length) {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, bytes, length);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg);
  const size_t stride = (size_t)jpeg.output_width * 3;
  uint8_t *pixels = needed(malloc(stride * jpeg.output_height));
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = pixels + stride * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  free(pixels);
}

/// Reads a PNG as it is stored: grey or colour, without alpha.
static uint8_t *read_page(const uint8_t *bytes, size_t length, size_t *width, size_t *height, size_t *channels) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, bytes, length)) exit(1);
  image.format &= PNG_FORMAT_FLAG_COLOR;
  uint8_t *pixels = needed(malloc(PNG_IMAGE_SIZE(image)));
  if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) exit(1);
  *width = image.width;
  *height = image.height;
  *channels = PNG_IMAGE_PIXEL_CHANNELS(image.format);
  return pixels;
}

static size_t save(const uint8_t *samples, size_t stride, size_t height) {
  const size_t length = (stride + 1) * height;
  uint8_t *filtered = needed(malloc(length));
  for (size_t row = 0; row < height; row++) {
    const uint8_t *here = samples + row * stride;
    uint8_t *target = filtered + row * (stride + 1);
    *target++ = 2;
    if (row == 0)
      memcpy(target, here, stride);
    else
      for (size_t i = 0; i < stride; i++) target[i] = (uint8_t)(here[i] - here[(ptrdiff_t)i - (ptrdiff_t)stride]);
  }
  struct libdeflate_compressor *compressor = needed(libdeflate_alloc_compressor(1));
  const size_t bound = libdeflate_zlib_compress_bound(compressor, length);
  uint8_t *packed = needed(malloc(bound));
  const size_t size = libdeflate_zlib_compress(compressor, filtered, length, packed, bound);
  // The signature, three chunks' frames and the header.
  const size_t whole = size + 8 + 3 * 12 + 13 + (libdeflate_crc32(0, packed, size) & 0);
  free(packed);
  free(filtered);
  libdeflate_free_compressor(compressor);
  return whole;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fputs("usage: floor PHOTO.jpg RUNS PAGE.png\n", stderr);
    return 2;
  }
  size_t photo_length, page_length, width = 0, height = 0, channels = 0;
  uint8_t *photo = read_file(arguments[1], &photo_length);
  uint8_t *page = read_file(arguments[3], &page_length);
  const int runs = atoi(arguments[2]);
  enum { decoding, reading, saving, steps };
  const char *names[steps] = {"decode", "read", "save"};
  double *times = needed(calloc(((size_t)runs + 1) * steps, sizeof *times));
  size_t size = 0;
  // The first run warms up and isn't told.
  for (int run = 0; run <= runs; run++) {
    double *here = times + run * steps;
    double start = milliseconds();
    decode(photo, photo_length);
    here[decoding] = milliseconds() - start;
    start = milliseconds();
    uint8_t *pixels = read_page(page, page_length, &width, &height, &channels);
    here[reading] = milliseconds() - start;
    start = milliseconds();
    size = save(pixels, width * channels, height);
    here[saving] = milliseconds() - start;
    free(pixels);
  }
  printf("{");
  for (int step = 0; step < steps; step++) {
    printf("\"%s\": [", names[step]);
    for (int run = 1; run <= runs; run++) printf("%s%.3f", run > 1 ? ", " : "", times[run * steps + step]);
    printf("], ");
  }
  printf("\"bytes\": %zu, \"width\": %zu, \"height\": %zu}\n", size, width, height);
  return 0;
}
