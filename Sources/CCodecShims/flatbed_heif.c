// libheif hands errors back as structures and never jumps; this file keeps its handles and their lifetimes together. It is loaded
// when the first file comes that needs it: with the codecs it brings along that takes longer than all else at the program's start.
#include "flatbed_heif.h"

#include <dlfcn.h>
#include <libheif/heif.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of the library.
#define FUNCTIONS \
  FUNCTION(heif_context_alloc) \
  FUNCTION(heif_context_free) \
  FUNCTION(heif_context_get_image_handle) \
  FUNCTION(heif_context_get_number_of_top_level_images) \
  FUNCTION(heif_context_get_primary_image_handle) \
  FUNCTION(heif_context_read_from_memory_without_copy) \
  FUNCTION(heif_context_set_max_decoding_threads) \
  FUNCTION(heif_context_set_maximum_image_size_limit) \
  FUNCTION(heif_decode_image) \
  FUNCTION(heif_decoding_options_alloc) \
  FUNCTION(heif_decoding_options_free) \
  FUNCTION(heif_image_get_bits_per_pixel_range) \
  FUNCTION(heif_image_get_height) \
  FUNCTION(heif_image_get_plane_readonly) \
  FUNCTION(heif_image_get_width) \
  FUNCTION(heif_image_handle_get_height) \
  FUNCTION(heif_image_handle_get_ispe_height) \
  FUNCTION(heif_image_handle_get_ispe_width) \
  FUNCTION(heif_image_handle_get_list_of_metadata_block_IDs) \
  FUNCTION(heif_image_handle_get_luma_bits_per_pixel) \
  FUNCTION(heif_image_handle_get_metadata) \
  FUNCTION(heif_image_handle_get_metadata_size) \
  FUNCTION(heif_image_handle_get_nclx_color_profile) \
  FUNCTION(heif_image_handle_get_raw_color_profile) \
  FUNCTION(heif_image_handle_get_raw_color_profile_size) \
  FUNCTION(heif_image_handle_get_width) \
  FUNCTION(heif_image_handle_has_alpha_channel) \
  FUNCTION(heif_image_handle_is_premultiplied_alpha) \
  FUNCTION(heif_image_handle_release) \
  FUNCTION(heif_image_release) \
  FUNCTION(heif_nclx_color_profile_free)

#define FUNCTION(name) __typeof__(name) *name;
static struct { FUNCTIONS } library;
#undef FUNCTION

static bool is_loaded;

static void load(void) {
  // The name has the version of the interface, which is that of the header.
  void *handle = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  is_loaded = true;
  // Through bytes, since C has no conversion from an object's pointer to a function's.
#define FUNCTION(name)                               \
  do {                                               \
    void *found = dlsym(handle, #name);              \
    memcpy(&library.name, &found, sizeof found);     \
    if (!found) is_loaded = false;                   \
  } while (0);
  FUNCTIONS
#undef FUNCTION
}

static bool can_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct flatbed_heif {
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
};

static bool fail(struct heif_error error, flatbed_status *status) {
  switch (error.code) {
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature:
    case heif_error_Plugin_loading_error: status->code = flatbed_heif_unsupported; break;
    case heif_error_Memory_allocation_error: status->code = flatbed_heif_too_large; break;
    default:
      status->code = error.subcode == heif_suberror_End_of_data ? flatbed_heif_cut : flatbed_heif_damaged;
  }
  snprintf(status->message, sizeof status->message, "%s", error.message ? error.message : "");
  return false;
}

flatbed_heif *flatbed_heif_open(const uint8_t *bytes, size_t size, flatbed_status *status) {
  if (!can_load()) {
    status->code = flatbed_heif_unsupported;
    snprintf(status->message, sizeof status->message, "libheif isn't installed");
    return NULL;
  }
  flatbed_heif *heif = calloc(1, sizeof *heif);
  if (heif) heif->context = library.heif_context_alloc();
  if (!heif || !heif->context) {
    free(heif);
    status->code = flatbed_heif_too_large;
    snprintf(status->message, sizeof status->message, "out of memory");
    return NULL;
  }
  // Photos are already decoded side by side; threads of libheif's own would only get in their way.
  library.heif_context_set_max_decoding_threads(heif->context, 0);
  struct heif_error error = library.heif_context_read_from_memory_without_copy(heif->context, bytes, size, NULL);
  if (error.code == heif_error_Ok) {
    error = library.heif_context_get_primary_image_handle(heif->context, &heif->handle);
  }
  if (error.code == heif_error_Ok) return heif;
  fail(error, status);
  flatbed_heif_close(heif);
  return NULL;
}

void flatbed_heif_close(flatbed_heif *heif) {
  if (!heif) return;
  if (heif->image) library.heif_image_release(heif->image);
  if (heif->handle) library.heif_image_handle_release(heif->handle);
  library.heif_context_free(heif->context);
  free(heif);
}

bool flatbed_heif_select(flatbed_heif *heif, uint32_t item, flatbed_status *status) {
  struct heif_image_handle *handle = NULL;
  struct heif_error error = library.heif_context_get_image_handle(heif->context, item, &handle);
  if (error.code != heif_error_Ok) return fail(error, status);
  library.heif_image_handle_release(heif->handle);
  heif->handle = handle;
  return true;
}

static bool first_exif(flatbed_heif *heif, heif_item_id *item) {
  return library.heif_image_handle_get_list_of_metadata_block_IDs(heif->handle, "Exif", item, 1) == 1;
}

void flatbed_heif_read_info(flatbed_heif *heif, flatbed_heif_info *info) {
  struct heif_image_handle *handle = heif->handle;
  memset(info, 0, sizeof *info);
  info->width = library.heif_image_handle_get_width(handle);
  info->height = library.heif_image_handle_get_height(handle);
  info->coded_width = library.heif_image_handle_get_ispe_width(handle);
  info->coded_height = library.heif_image_handle_get_ispe_height(handle);
  info->bits = library.heif_image_handle_get_luma_bits_per_pixel(handle);
  info->has_alpha = library.heif_image_handle_has_alpha_channel(handle);
  info->is_premultiplied = library.heif_image_handle_is_premultiplied_alpha(handle);
  info->picture_count = library.heif_context_get_number_of_top_level_images(heif->context);
  info->icc_size = library.heif_image_handle_get_raw_color_profile_size(handle);
  heif_item_id exif;
  if (first_exif(heif, &exif)) info->exif_size = library.heif_image_handle_get_metadata_size(handle, exif);
  struct heif_color_profile_nclx *nclx = NULL;
  struct heif_error error = library.heif_image_handle_get_nclx_color_profile(handle, &nclx);
  if (error.code == heif_error_Ok && nclx) {
    info->primaries = nclx->color_primaries;
    info->transfer = nclx->transfer_characteristics;
    library.heif_nclx_color_profile_free(nclx);
  }
}

bool flatbed_heif_copy_icc(flatbed_heif *heif, uint8_t *output) {
  return library.heif_image_handle_get_raw_color_profile(heif->handle, output).code == heif_error_Ok;
}

bool flatbed_heif_copy_exif(flatbed_heif *heif, uint8_t *output) {
  heif_item_id exif;
  return first_exif(heif, &exif) &&
         library.heif_image_handle_get_metadata(heif->handle, exif, output).code == heif_error_Ok;
}

bool flatbed_heif_decode(
    flatbed_heif *heif, bool with_alpha, bool as_words, bool is_raw, int side_limit, flatbed_heif_pixels *pixels,
    flatbed_status *status) {
  memset(pixels, 0, sizeof *pixels);
  if (heif->image) library.heif_image_release(heif->image);
  heif->image = NULL;
  library.heif_context_set_maximum_image_size_limit(heif->context, side_limit);
  enum heif_chroma chroma =
      as_words ? (with_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
               : (with_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  struct heif_decoding_options *options = library.heif_decoding_options_alloc();
  if (options) {
    options->convert_hdr_to_8bit = !as_words;
    options->ignore_transformations = is_raw;
  }
  struct heif_error error =
      library.heif_decode_image(heif->handle, &heif->image, heif_colorspace_RGB, chroma, options);
  if (options) library.heif_decoding_options_free(options);
  if (error.code != heif_error_Ok) return fail(error, status);
  int stride = 0;
  pixels->samples = library.heif_image_get_plane_readonly(heif->image, heif_channel_interleaved, &stride);
  pixels->width = library.heif_image_get_width(heif->image, heif_channel_interleaved);
  pixels->height = library.heif_image_get_height(heif->image, heif_channel_interleaved);
  pixels->bits = library.heif_image_get_bits_per_pixel_range(heif->image, heif_channel_interleaved);
  size_t row = (size_t)(pixels->width > 0 ? pixels->width : 0) * (with_alpha ? 4 : 3) * (as_words ? 2 : 1);
  if (!pixels->samples || pixels->width <= 0 || pixels->height <= 0 || stride < 0 || (size_t)stride < row) {
    status->code = flatbed_heif_damaged;
    snprintf(status->message, sizeof status->message, "no pixels");
    return false;
  }
  pixels->stride = (size_t)stride;
  return true;
}
