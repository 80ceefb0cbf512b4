#include "CEnhanceKernels.h"

#include <string.h>

// The same rounding on every processor: no product is added without being rounded first.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// For any processor: vectors of 16 bytes, which all 64-bit processors have.
#define NAME(function) function##_plain
#define LANES 8
#include "vectors.h"
#include "cells.h"
#include "poisson.h"
#include "ink.h"
#include "writing.h"
#undef SHORTS
#undef NAME
#undef LANES

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(function) function##_wide
#define LANES 16
#include "vectors.h"
#include "cells.h"
#include "poisson.h"
#include "ink.h"
#include "writing.h"
#undef SHORTS
#undef NAME
#undef LANES
#pragma clang attribute pop

#define CALL(wide, function, ...) ((wide) ? function##_wide(__VA_ARGS__) : function##_plain(__VA_ARGS__))

bool flatbed_has_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define CALL(wide, function, ...) ((void)(wide), function##_plain(__VA_ARGS__))

bool flatbed_has_wide(void) { return false; }
#endif

void flatbed_thin_row(bool wide, const uint8_t *pixels, ptrdiff_t width, int channels, ptrdiff_t step, ptrdiff_t start,
                      ptrdiff_t count, ptrdiff_t stride, uint8_t *const *planes, int16_t *lumas, uint8_t *scratch) {
    CALL(wide, thin_row, pixels, width, channels, step, start, count, stride, planes, lumas, scratch);
}

void flatbed_cell_means(bool wide, const flatbed_cells *cells, ptrdiff_t width, int16_t *means) {
    CALL(wide, cell_means, cells, width, means);
}

void flatbed_cell_sums(bool wide, const flatbed_cells *cells, const int16_t *lows, const int16_t *highs, int32_t *counts,
                       int32_t *const *sums, int16_t *scratch) {
    CALL(wide, cell_sums, cells, lows, highs, counts, sums, scratch);
}

void flatbed_extremes_after(bool wide, int16_t *values, ptrdiff_t count, ptrdiff_t step, ptrdiff_t window, bool least) {
    CALL(wide, extremes_after, values, count, step, window, least);
}

void flatbed_relax_row(bool wide, const float *above, const float *here, const float *below, const float *divergence,
                       ptrdiff_t columns, float step, float rim_step, float *output) {
    CALL(wide, relax_row, above, here, below, divergence, columns, step, rim_step, output);
}

void flatbed_residual_row(bool wide, const float *above, const float *here, const float *below, const float *divergence,
                          ptrdiff_t columns, float *scratch, float *coarse) {
    CALL(wide, residual_row, above, here, below, divergence, columns, scratch, coarse);
}

void flatbed_add_coarse_row(bool wide, const float *near, const float *far, ptrdiff_t columns, float *scratch, float *output) {
    CALL(wide, add_coarse_row, near, far, columns, scratch, output);
}

void flatbed_spread_gains(bool wide, const uint16_t *plane, ptrdiff_t columns, ptrdiff_t cell, ptrdiff_t width,
                          uint16_t *gains) {
    CALL(wide, spread_gains, plane, columns, cell, width, gains);
}

void flatbed_read_row(bool wide, const uint8_t *pixels, ptrdiff_t width, int channels, const flatbed_gains *gains,
                      int16_t *const *dark, int16_t *ink) {
    CALL(wide, read_row, pixels, width, channels, gains, dark, ink);
}

int flatbed_read_square(bool wide, const uint8_t *pixels, ptrdiff_t stride, int channels, const uint16_t *gains,
                        int16_t *ink, int32_t *sum) {
    return CALL(wide, read_square, pixels, stride, channels, gains, ink, sum);
}

void flatbed_gate_row(bool wide, const int16_t *const *rows, ptrdiff_t blocks, const flatbed_threshold *thresholds,
                      int16_t *sums, int16_t *open, uint8_t *any) {
    CALL(wide, gate_row, rows, blocks, thresholds, sums, open, any);
}

void flatbed_write_gray(bool wide, const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output) {
    CALL(wide, write_gray, row, curve, width, output);
}

void flatbed_write_colour(bool wide, const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output) {
    CALL(wide, write_colour, row, curve, width, output);
}
