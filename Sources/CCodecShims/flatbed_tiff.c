// libtiff reads tags by a variadic function and reports errors through callbacks; both are kept on this side.
#include "flatbed_tiff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct flatbed_tiff {
  TIFF *handle;
  const uint8_t *bytes;
  size_t size;
  size_t position;
  flatbed_tiff_page page;
  // The first error, or the first warning that means damage, since the last `begin`.
  char message[160];
  bool failed;
  // Broken fax lines since the page was read.
  unsigned bad_lines;
  // A copy of a block whose bits libtiff has to turn around in place.
  uint8_t *scratch;
  size_t scratch_size;
};

static void begin(flatbed_tiff *tiff) {
  tiff->failed = false;
  tiff->message[0] = 0;
}

// In Group 3 each line can be found again after a broken one, so that a broken line is no more than that.
static bool tells_bad_line(const char *module, const char *text) {
  return strncmp(module, "Fax3", 4) == 0 && strstr(text, " at line ");
}

// libjpeg and the fax decoder fill up what is missing with grey or white and only warn about it.
// libtiff passes their warnings on as text, so the text is all there is to go by.
static bool tells_damage(const char *module, const char *text) {
  if (strcmp(module, "JPEGLib") == 0) {
    return strstr(text, "remature end") || (strstr(text, "Corrupt JPEG data") && !strstr(text, "extraneous"));
  }
  return strcmp(module, "Fax4Decode") == 0;
}

static int on_message(
    flatbed_tiff *tiff, bool is_error, const char *module, const char *format, va_list arguments) {
  char text[160];
  vsnprintf(text, sizeof text, format, arguments);
  if (!module) module = "";
  if (tells_bad_line(module, text)) {
    tiff->bad_lines++;
  } else if ((is_error || tells_damage(module, text)) && !tiff->failed) {
    tiff->failed = true;
    memcpy(tiff->message, text, sizeof text);
  }
  return 1;  // Handled: libtiff's process-wide handlers stay out of it.
}

static int on_error(TIFF *handle, void *user, const char *module, const char *format, va_list arguments) {
  (void)handle;
  return on_message(user, true, module, format, arguments);
}

static int on_warning(TIFF *handle, void *user, const char *module, const char *format, va_list arguments) {
  (void)handle;
  return on_message(user, false, module, format, arguments);
}

static bool fail(const flatbed_tiff *tiff, flatbed_status *status, const char *otherwise) {
  status->code = 1;
  snprintf(status->message, sizeof status->message, "%s", tiff->message[0] ? tiff->message : otherwise);
  return false;
}

// MARK: Bytes in memory as a file

static tmsize_t read_bytes(thandle_t client, void *buffer, tmsize_t size) {
  flatbed_tiff *tiff = client;
  if (size <= 0 || tiff->position >= tiff->size) return 0;
  size_t left = tiff->size - tiff->position;
  size_t count = (size_t)size < left ? (size_t)size : left;
  memcpy(buffer, tiff->bytes + tiff->position, count);
  tiff->position += count;
  return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t client, void *buffer, tmsize_t size) {
  (void)client;
  (void)buffer;
  (void)size;
  return 0;
}

static toff_t seek_bytes(thandle_t client, toff_t offset, int whence) {
  flatbed_tiff *tiff = client;
  uint64_t base = whence == SEEK_CUR ? tiff->position : whence == SEEK_END ? tiff->size : 0;
  uint64_t target = base + offset;
  if (target > SIZE_MAX / 2) return (toff_t)-1;
  tiff->position = (size_t)target;
  return target;
}

static int close_bytes(thandle_t client) {
  (void)client;
  return 0;
}

static toff_t size_bytes(thandle_t client) { return ((flatbed_tiff *)client)->size; }

static int map_bytes(thandle_t client, void **base, toff_t *size) {
  flatbed_tiff *tiff = client;
  *base = (void *)(uintptr_t)tiff->bytes;
  *size = tiff->size;
  return 1;
}

static void unmap_bytes(thandle_t client, void *base, toff_t size) {
  (void)client;
  (void)base;
  (void)size;
}

// MARK: Opening and pages

flatbed_tiff *flatbed_tiff_open(
    const uint8_t *bytes, size_t size, uint64_t allocation_limit, flatbed_status *status) {
  flatbed_tiff *tiff = calloc(1, sizeof *tiff);
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!tiff || !options) {
    free(tiff);
    TIFFOpenOptionsFree(options);
    status->code = 1;
    snprintf(status->message, sizeof status->message, "out of memory");
    return NULL;
  }
  tiff->bytes = bytes;
  tiff->size = size;
  tmsize_t limit = allocation_limit > INT64_MAX ? INT64_MAX : (tmsize_t)allocation_limit;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, limit);
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, tiff);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, tiff);
  // h: no directory yet. c: a strip stays as the file has it.
  tiff->handle = TIFFClientOpenExt(
      "", "rhc", tiff, read_bytes, write_bytes, seek_bytes, close_bytes, size_bytes, map_bytes, unmap_bytes,
      options);
  TIFFOpenOptionsFree(options);
  if (!tiff->handle) {
    fail(tiff, status, "no TIFF header");
    free(tiff);
    return NULL;
  }
  return tiff;
}

void flatbed_tiff_close(flatbed_tiff *tiff) {
  if (!tiff) return;
  TIFFClose(tiff->handle);
  free(tiff->scratch);
  free(tiff);
}

bool flatbed_tiff_decodes(uint16_t compression) { return TIFFIsCODECConfigured(compression) == 1; }

static void read_extras(TIFF *handle, flatbed_tiff_page *page) {
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  if (!TIFFGetField(handle, TIFFTAG_EXTRASAMPLES, &count, &kinds) || !kinds) return;
  page->extra_count = count;
  for (int index = 0; index < count && index < FLATBED_TIFF_MAX_EXTRA; index++)
    page->extra_kinds[index] = kinds[index];
}

static void read_palette(TIFF *handle, flatbed_tiff_page *page) {
  uint16_t *red = NULL, *green = NULL, *blue = NULL;
  if (!TIFFGetField(handle, TIFFTAG_COLORMAP, &red, &green, &blue) || !red || !green || !blue) return;
  page->palette_red = red;
  page->palette_green = green;
  page->palette_blue = blue;
}

static void read_blocks(TIFF *handle, flatbed_tiff_page *page) {
  page->is_tiled = TIFFIsTiled(handle);
  if (page->is_tiled) {
    TIFFGetField(handle, TIFFTAG_TILEWIDTH, &page->block_width);
    TIFFGetField(handle, TIFFTAG_TILELENGTH, &page->block_height);
    page->block_row_bytes = TIFFTileRowSize64(handle);
    page->block_bytes = TIFFTileSize64(handle);
    page->blocks_per_plane = TIFFNumberOfTiles(handle);
  } else {
    uint32_t rows = 0;
    TIFFGetFieldDefaulted(handle, TIFFTAG_ROWSPERSTRIP, &rows);
    page->block_width = page->width;
    page->block_height = rows == 0 || rows > page->height ? page->height : rows;
    page->block_row_bytes = TIFFScanlineSize64(handle);
    page->block_bytes = TIFFStripSize64(handle);
    page->blocks_per_plane = TIFFNumberOfStrips(handle);
  }
  if (page->is_planar && page->samples_per_pixel > 0) page->blocks_per_plane /= page->samples_per_pixel;
}

bool flatbed_tiff_read_page(
    flatbed_tiff *tiff, uint64_t offset, flatbed_tiff_page *page, flatbed_status *status) {
  TIFF *handle = tiff->handle;
  begin(tiff);
  tiff->bad_lines = 0;
  memset(page, 0, sizeof *page);
  if (!TIFFSetSubDirectory(handle, offset)) return fail(tiff, status, "no directory");
  TIFFGetField(handle, TIFFTAG_IMAGEWIDTH, &page->width);
  TIFFGetField(handle, TIFFTAG_IMAGELENGTH, &page->height);
  TIFFGetFieldDefaulted(handle, TIFFTAG_BITSPERSAMPLE, &page->bits_per_sample);
  TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLESPERPIXEL, &page->samples_per_pixel);
  TIFFGetFieldDefaulted(handle, TIFFTAG_COMPRESSION, &page->compression);
  TIFFGetFieldDefaulted(handle, TIFFTAG_FILLORDER, &page->fill_order);
  TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLEFORMAT, &page->sample_format);
  TIFFGetFieldDefaulted(handle, TIFFTAG_ORIENTATION, &page->orientation);
  TIFFGetFieldDefaulted(handle, TIFFTAG_INKSET, &page->ink_set);
  TIFFGetFieldDefaulted(handle, TIFFTAG_RESOLUTIONUNIT, &page->resolution_unit);
  TIFFGetField(handle, TIFFTAG_XRESOLUTION, &page->x_resolution);
  TIFFGetField(handle, TIFFTAG_YRESOLUTION, &page->y_resolution);
  uint16_t planar = PLANARCONFIG_CONTIG;
  TIFFGetFieldDefaulted(handle, TIFFTAG_PLANARCONFIG, &planar);
  page->is_planar = planar == PLANARCONFIG_SEPARATE && page->samples_per_pixel > 1;
  if (!TIFFGetField(handle, TIFFTAG_PHOTOMETRIC, &page->photometric)) {
    // Fax writers leave it out: black ink is 1 there. Others mean what the number of samples says.
    bool is_fax = page->compression >= COMPRESSION_CCITTRLE && page->compression <= COMPRESSION_CCITTFAX4;
    page->photometric = is_fax                         ? PHOTOMETRIC_MINISWHITE
                        : page->samples_per_pixel >= 3 ? PHOTOMETRIC_RGB
                                                       : PHOTOMETRIC_MINISBLACK;
  }
  if (page->compression == COMPRESSION_JPEG && page->photometric == PHOTOMETRIC_YCBCR && !page->is_planar &&
      page->samples_per_pixel == 3) {
    page->is_converted_to_rgb = TIFFSetField(handle, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) == 1;
  }
  read_extras(handle, page);
  read_palette(handle, page);
  read_blocks(handle, page);
  uint32_t icc_size = 0;
  void *icc = NULL;
  if (TIFFGetField(handle, TIFFTAG_ICCPROFILE, &icc_size, &icc) && icc) {
    page->icc = icc;
    page->icc_size = icc_size;
  }
  tiff->page = *page;
  return true;
}

// MARK: Pixels

// The block's bytes in a form that libtiff may turn the bits of, or NULL when memory is short.
static void *input_for(flatbed_tiff *tiff, const uint8_t *bytes, size_t size) {
  if (tiff->page.fill_order != FILLORDER_LSB2MSB) return (void *)(uintptr_t)bytes;
  if (tiff->scratch_size < size) {
    uint8_t *larger = realloc(tiff->scratch, size);
    if (!larger) return NULL;
    tiff->scratch = larger;
    tiff->scratch_size = size;
  }
  memcpy(tiff->scratch, bytes, size);
  return tiff->scratch;
}

static bool is_fax(const flatbed_tiff *tiff) {
  uint16_t compression = tiff->page.compression;
  return (compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4) ||
         compression == COMPRESSION_CCITTRLEW;
}

// A byte that depends on its place, different for each of two seeds.
static uint8_t filler(size_t place, unsigned seed) {
  return (uint8_t)((place * 2654435761u + seed * 40503u) >> 13 ^ seed * 0x5A);
}

static void fill(uint8_t *output, size_t size, unsigned seed) {
  for (size_t place = 0; place < size; place++) output[place] = filler(place, seed);
}

// The last row the decoder left as `fill` made it.
static bool is_untouched(const uint8_t *output, size_t size, size_t row, unsigned seed) {
  for (size_t place = size - row; place < size; place++)
    if (output[place] != filler(place, seed)) return false;
  return true;
}

// libtiff's fax decoder leaves rows behind the end of its data alone, often without a word, and what it returns is
// of no help through this function. So the output is marked, and marked otherwise to be sure.
static bool decode_fax(flatbed_tiff *tiff, uint32_t block, void *input, tmsize_t input_size, uint8_t *output,
                       tmsize_t output_size) {
  size_t size = (size_t)output_size, row = (size_t)tiff->page.block_row_bytes;
  if (row == 0 || row > size) return false;
  for (unsigned seed = 0; seed < 2; seed++) {
    fill(output, size, seed);
    if (!TIFFReadFromUserBuffer(tiff->handle, block, input, input_size, output, output_size)) return false;
    if (!is_untouched(output, size, row, seed)) return true;
  }
  if (!tiff->failed) snprintf(tiff->message, sizeof tiff->message, "no more rows");
  return false;
}

flatbed_tiff_block flatbed_tiff_decode_block(
    flatbed_tiff *tiff, uint32_t block, uint8_t *output, size_t output_size, flatbed_status *status) {
  begin(tiff);
  int missing = 0;
  uint64_t offset = TIFFGetStrileOffsetWithErr(tiff->handle, block, &missing);
  uint64_t count = missing ? 0 : TIFFGetStrileByteCountWithErr(tiff->handle, block, &missing);
  if (missing || count == 0) {
    fail(tiff, status, "no data");
    return flatbed_tiff_block_damaged;
  }
  if (offset >= tiff->size) {
    fail(tiff, status, "its data lies behind the end of the file");
    return flatbed_tiff_block_cut;
  }
  bool is_cut = count > tiff->size - offset;
  size_t input_size = is_cut ? tiff->size - (size_t)offset : (size_t)count;
  void *input = input_for(tiff, tiff->bytes + offset, input_size);
  if (!input || output_size > INT64_MAX) {
    fail(tiff, status, "out of memory");
    return flatbed_tiff_block_damaged;
  }
  bool decoded =
      is_fax(tiff) ? decode_fax(tiff, block, input, (tmsize_t)input_size, output, (tmsize_t)output_size)
                   : TIFFReadFromUserBuffer(
                         tiff->handle, block, input, (tmsize_t)input_size, output, (tmsize_t)output_size) == 1;
  if (decoded && !tiff->failed) return flatbed_tiff_block_whole;
  fail(tiff, status, "undecodable data");
  return is_cut ? flatbed_tiff_block_cut : flatbed_tiff_block_damaged;
}

unsigned flatbed_tiff_bad_lines(const flatbed_tiff *tiff) { return tiff->bad_lines; }

bool flatbed_tiff_decode_rgba(
    flatbed_tiff *tiff, uint32_t first_row, uint32_t rows, uint32_t *output, flatbed_status *status) {
  begin(tiff);
  char reason[1024] = "";
  TIFFRGBAImage image;
  if (!TIFFRGBAImageOK(tiff->handle, reason) || !TIFFRGBAImageBegin(&image, tiff->handle, 1, reason)) {
    return fail(tiff, status, reason[0] ? reason : "unsupported layout");
  }
  // Stored order in, stored order out: turning is done once, elsewhere.
  image.orientation = ORIENTATION_TOPLEFT;
  image.req_orientation = ORIENTATION_TOPLEFT;
  image.row_offset = (int)first_row;
  image.col_offset = 0;
  int decoded = TIFFRGBAImageGet(&image, output, image.width, rows);
  TIFFRGBAImageEnd(&image);
  return decoded && !tiff->failed ? true : fail(tiff, status, "undecodable data");
}
