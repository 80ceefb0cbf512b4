#include "flatbed_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// jerror.h numbers its messages by what jpeglib.h says the library was built with, so their order matters.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

/// Everything one decode needs. The library's structures come first where callbacks get only them.
typedef struct decoder {
  struct jpeg_decompress_struct cinfo;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf jump;
  flatbed_jpeg_report *report;
  flatbed_status *status;
  int stop_at_damage;
  const uint8_t *bytes;
  size_t length;
  int input_ended;    // The source had to make up an end marker.
  size_t ended_row;   // iMCU row in which it had to.
  // Where warnings and errors go once the picture is whole.
  flatbed_jpeg_report aftermath;
  flatbed_status ignored;
} decoder;

static const JOCTET made_up_end[2] = {0xFF, JPEG_EOI};

static decoder *decoder_of(j_common_ptr common) { return common->client_data; }

static void stop(decoder *d, int code, const char *message) {
  d->status->code = code;
  snprintf(d->status->message, sizeof d->status->message, "%s", message);
  longjmp(d->jump, 1);
}

static void exit_with_error(j_common_ptr common) {
  char message[JMSG_LENGTH_MAX];
  common->err->format_message(common, message);
  stop(decoder_of(common), common->err->msg_code == JERR_OUT_OF_MEMORY ? flatbed_jpeg_out_of_memory : flatbed_jpeg_failed,
       message);
}

static size_t full_size_row(const decoder *d, size_t imcu_row) {
  size_t row = imcu_row * (size_t)(d->cinfo.max_v_samp_factor > 0 ? d->cinfo.max_v_samp_factor : 1) * DCTSIZE;
  return row < d->cinfo.image_height ? row : d->cinfo.image_height;
}

static void note_damage(decoder *d, size_t imcu_row, int pass, int data_ended, const char *message) {
  flatbed_jpeg_report *report = d->report;
  if (!report->damaged) {
    report->damaged = 1;
    report->data_ended = data_ended;
    report->row = full_size_row(d, imcu_row);
    report->pass = pass;
    snprintf(report->message, sizeof report->message, "%s", message);
  }
  if (d->stop_at_damage) stop(d, flatbed_jpeg_stopped, message);
}

/// The pass that a row number belongs to, or 0 when there is only one.
static int current_pass(const decoder *d) {
  return jpeg_has_multiple_scans((j_decompress_ptr)&d->cinfo) ? d->cinfo.input_scan_number : 0;
}

static void emit_message(j_common_ptr common, int level) {
  if (level >= 0) return;  // Traces.
  decoder *d = decoder_of(common);
  common->err->num_warnings++;
  char message[JMSG_LENGTH_MAX];
  common->err->format_message(common, message);
  switch (common->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_MUST_RESYNC:
      note_damage(d, d->cinfo.input_iMCU_row, current_pass(d), d->input_ended || d->cinfo.unread_marker == JPEG_EOI,
                  message);
      break;
    case JWRN_ARITH_BAD_CODE:
      // Behind the end an arithmetic decoder reads zeros, which may mean anything for a while.
      note_damage(d, d->input_ended ? d->ended_row : d->cinfo.input_iMCU_row, current_pass(d), d->input_ended, message);
      break;
    case JWRN_HUFF_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
      note_damage(d, d->cinfo.input_iMCU_row, current_pass(d), 0, message);
      break;
    default:
      if (!d->report->harmless++)
        snprintf(d->report->harmless_message, sizeof d->report->harmless_message, "%s", message);
  }
}

static void output_message(j_common_ptr common) { (void)common; }

static void source_nothing(j_decompress_ptr cinfo) { (void)cinfo; }

/// All bytes are in memory, so being asked for more means that the file ends too early.
static boolean source_fill(j_decompress_ptr cinfo) {
  decoder *d = decoder_of((j_common_ptr)cinfo);
  if (!d->input_ended) {
    d->input_ended = 1;
    d->ended_row = cinfo->input_iMCU_row;
  }
  cinfo->src->next_input_byte = made_up_end;
  cinfo->src->bytes_in_buffer = sizeof made_up_end;
  return TRUE;
}

static void source_skip(j_decompress_ptr cinfo, long count) {
  if (count <= 0) return;
  if ((size_t)count >= cinfo->src->bytes_in_buffer) {
    source_fill(cinfo);
  } else {
    cinfo->src->next_input_byte += count;
    cinfo->src->bytes_in_buffer -= (size_t)count;
  }
}

static void note_progress(decoder *d) {
  size_t read = d->input_ended ? d->length : (size_t)(d->source.next_input_byte - d->bytes);
  // A marker that was met in the data was read, but belongs to what follows.
  d->report->whole_bytes = d->cinfo.unread_marker && read >= 2 && !d->input_ended ? read - 2 : read;
}

static void prepare(decoder *d, const flatbed_jpeg_request *request) {
  j_decompress_ptr cinfo = &d->cinfo;
  d->source.init_source = source_nothing;
  d->source.fill_input_buffer = source_fill;
  d->source.skip_input_data = source_skip;
  d->source.resync_to_restart = jpeg_resync_to_restart;
  d->source.term_source = source_nothing;
  d->source.next_input_byte = d->bytes;
  d->source.bytes_in_buffer = d->length;
  cinfo->src = &d->source;
  jpeg_read_header(cinfo, TRUE);
  if (request->assume_ycck && cinfo->num_components == 4) cinfo->jpeg_color_space = JCS_YCCK;
  cinfo->out_color_space = request->channels == 1 ? JCS_GRAYSCALE : request->channels == 3 ? JCS_RGB : JCS_CMYK;
  cinfo->scale_num = 1;
  cinfo->scale_denom = (unsigned)request->reduction;
  cinfo->buffered_image = jpeg_has_multiple_scans(cinfo);
}

/// Reads all scans of a picture that has several, and checks that nothing of it is missing.
static void read_scans(decoder *d, const flatbed_jpeg_request *request) {
  j_decompress_ptr cinfo = &d->cinfo;
  int seen[MAX_COMPONENTS] = {0};
  int event;
  for (;;) {
    for (int i = 0; i < cinfo->comps_in_scan; i++) seen[cinfo->cur_comp_info[i]->component_index] = 1;
    int luma = cinfo->Ss == 0 && cinfo->cur_comp_info[0]->component_index == 0;
    event = jpeg_consume_input(cinfo);
    if (event == JPEG_SCAN_COMPLETED && luma && !d->report->damaged) d->report->coarse_whole = 1;
    if (event == JPEG_REACHED_EOI || event == JPEG_SUSPENDED) break;
    note_progress(d);
    if (cinfo->input_scan_number > request->most_scans) stop(d, flatbed_jpeg_too_many_scans, "too many scans");
  }
  if (d->report->damaged) return;
  int shallow = 0;
  for (int c = 0; c < cinfo->num_components; c++) {
    if (!seen[c] || (cinfo->coef_bits && cinfo->coef_bits[c][0] < 0)) {
      note_damage(d, 0, cinfo->input_scan_number + 1, d->input_ended, "a color channel is missing");
      return;
    }
    for (int k = 0; cinfo->coef_bits && k < DCTSIZE2; k++) shallow |= cinfo->coef_bits[c][k] != 0;
  }
  if (shallow && d->input_ended)
    note_damage(d, 0, cinfo->input_scan_number + 1, 1, "the last passes are missing");
  else if (shallow)
    d->report->details_missing = 1;
}

static void read_rows(decoder *d, const flatbed_jpeg_request *request, uint8_t *output, uint8_t *before) {
  j_decompress_ptr cinfo = &d->cinfo;
  const size_t stride = request->width * (size_t)request->channels;
  JSAMPROW rows[16];
  const size_t skipped = request->first_row - request->rows_before;
  if (skipped && (cinfo->buffered_image || jpeg_skip_scanlines(cinfo, (JDIMENSION)skipped) != skipped))
    stop(d, flatbed_jpeg_failed, "rows can't be passed over");
  while (cinfo->output_scanline < request->end_row) {
    size_t count = request->end_row - cinfo->output_scanline;
    if (count > 16) count = 16;
    for (size_t i = 0; i < count; i++) {
      const size_t row = cinfo->output_scanline + i;
      rows[i] = row < request->first_row ? before + (row - skipped) * stride : output + row * stride;
    }
    jpeg_read_scanlines(cinfo, rows, (JDIMENSION)count);
    // An arithmetic decoder reads zeros behind the end and warns of nothing.
    if (cinfo->arith_code && d->input_ended && d->ended_row + 1 < cinfo->total_iMCU_rows)
      note_damage(d, d->ended_row, current_pass(d), 1, "the data end early");
    if (!cinfo->buffered_image) note_progress(d);
  }
}

static void decode(decoder *d, const flatbed_jpeg_request *request, uint8_t *output, uint8_t *before) {
  j_decompress_ptr cinfo = &d->cinfo;
  prepare(d, request);
  jpeg_start_decompress(cinfo);
  if (cinfo->output_width != request->width || cinfo->output_height != request->height ||
      cinfo->output_components != request->channels)
    stop(d, flatbed_jpeg_failed, "the header contradicts itself");
  if (cinfo->buffered_image) {
    read_scans(d, request);
    jpeg_start_output(cinfo, cinfo->input_scan_number);
  }
  read_rows(d, request, output, before);
}

/// Reads up to the end marker, to learn whether it is there. The picture is whole, so nothing found here can hurt it.
static void finish(decoder *d) {
  // Who wants the first rows only doesn't learn of what follows.
  if (d->cinfo.output_scanline < d->cinfo.output_height) return;
  flatbed_jpeg_report *report = d->report;
  d->report = &d->aftermath;
  d->status = &d->ignored;
  d->stop_at_damage = 0;
  if (!setjmp(d->jump)) {
    if (d->cinfo.buffered_image)
      jpeg_finish_output(&d->cinfo);
    else
      jpeg_finish_decompress(&d->cinfo);
  }
  if (d->aftermath.harmless && !report->harmless)
    memcpy(report->harmless_message, d->aftermath.harmless_message, sizeof report->harmless_message);
  report->harmless += d->aftermath.harmless;
  report->end_marker_missing = d->input_ended && !report->damaged;
}

int flatbed_jpeg_decode(const uint8_t *bytes, size_t length, const flatbed_jpeg_request *request, uint8_t *output,
                        uint8_t *before, flatbed_jpeg_report *report, flatbed_status *status) {
  memset(report, 0, sizeof *report);
  memset(status, 0, sizeof *status);
  decoder *d = calloc(1, sizeof *d);
  if (!d) return status->code = flatbed_jpeg_out_of_memory;
  d->bytes = bytes;
  d->length = length;
  d->report = report;
  d->status = status;
  d->stop_at_damage = request->stop_at_damage;
  d->cinfo.err = jpeg_std_error(&d->errors);
  d->errors.error_exit = exit_with_error;
  d->errors.emit_message = emit_message;
  d->errors.output_message = output_message;
  d->cinfo.client_data = d;
  if (!setjmp(d->jump)) {
    jpeg_create_decompress(&d->cinfo);
    decode(d, request, output, before);
    finish(d);
  }
  jpeg_destroy_decompress(&d->cinfo);
  free(d);
  return status->code;
}

int flatbed_jpeg_has_arithmetic(void) {
#ifdef D_ARITH_CODING_SUPPORTED
  return 1;
#else
  return 0;
#endif
}
