/// The loops of Enhancement that run over every pixel.
///
/// They are in C, since only there a function can be compiled for newer processors beside all others: once for any, and once for those
/// with AVX2. Both do the same operations in the same order, so they give the same results.
/// Nothing is allocated, nothing fails; the caller sees to it that all memory is there.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Pixels that go through together: rows are as long as the next multiple of it.
#define FLATBED_BLOCK 16

/// Whether this processor has AVX2, so that `wide` may be true.
bool flatbed_has_wide(void);

/// Takes every `step`-th pixel of a row apart.
///
/// \param pixels the row: `width` pixels of `channels` interleaved samples, 1 or 3.
/// \param start the first pixel taken.
/// \param count the number of pixels taken; those beyond the row's end are its last.
/// \param stride samples written to each plane: those after `count` are 0.
/// \param planes `channels` planes.
/// \param lumas luma times 128, weights as in `Raster.grayscale()`, -1 after `count`.
/// \param scratch 3 · (width + FLATBED_BLOCK) bytes.
void flatbed_thin_row(bool wide, const uint8_t *pixels, ptrdiff_t width, int channels, ptrdiff_t step, ptrdiff_t start,
                      ptrdiff_t count, ptrdiff_t stride, uint8_t *const *planes, int16_t *lumas, uint8_t *scratch);

/// Planes of a page that are summed up in cells.
typedef struct {
    /// The first row that is summed up, in each plane and in the lumas; the others follow `stride` apart.
    const uint8_t *planes[3];
    const int16_t *lumas;
    ptrdiff_t stride;
    /// Rows that are there, at most `side`.
    int rows;
    /// Pixels of a cell along each axis.
    int side;
    int channels;
    /// Cells; `columns` · `side` is at most `stride`.
    ptrdiff_t columns;
} flatbed_cells;

/// The mean of the lumas of each cell, rounded up.
///
/// \param width pixels that are there: the last cell may have fewer than the others.
void flatbed_cell_means(bool wide, const flatbed_cells *cells, ptrdiff_t width, int16_t *means);

/// Adds up the pixels of each cell whose luma lies from `lows` to `highs`.
///
/// \param counts how many they are.
/// \param sums a plane of sums for each channel.
/// \param scratch 6 · `stride` values.
void flatbed_cell_sums(bool wide, const flatbed_cells *cells, const int16_t *lows, const int16_t *highs, int32_t *counts,
                       int32_t *const *sums, int16_t *scratch);

/// Makes each value the greatest, or the least, of itself and the `window` - 1 ones after it, `step` apart; the last ones count fewer.
///
/// The window is doubled until it would be too wide, then two of them are laid over each other: a handful of plain passes, whatever
/// the radius.
void flatbed_extremes_after(bool wide, int16_t *values, ptrdiff_t count, ptrdiff_t step, ptrdiff_t window, bool least);

/// One step of relaxation for a row of Poisson's equation: "the sum of (neighbour - u) is the divergence".
///
/// \param columns at least 2.
/// \param step the share of what the equation is off that is added.
/// \param rim_step the same at both ends, which have a neighbour fewer.
void flatbed_relax_row(bool wide, const float *above, const float *here, const float *below, const float *divergence,
                       ptrdiff_t columns, float step, float rim_step, float *output);

/// Adds what the equation is off in a row to that of a row of cells twice as wide.
///
/// \param scratch `columns` values.
void flatbed_residual_row(bool wide, const float *above, const float *here, const float *below, const float *divergence,
                          ptrdiff_t columns, float *scratch, float *coarse);

/// Adds what lies linearly between the rows of cells twice as wide, three parts of the near one and one of the far one.
///
/// \param scratch `columns` values.
void flatbed_add_coarse_row(bool wide, const float *near, const float *far, ptrdiff_t columns, float *scratch, float *output);

/// Runs linearly through the gains in the middle of each cell.
///
/// \param plane gains of a row of cells, in 4096ths.
/// \param gains a value for each of `width` pixels.
void flatbed_spread_gains(bool wide, const uint16_t *plane, ptrdiff_t columns, ptrdiff_t cell, ptrdiff_t width,
                          uint16_t *gains);

/// The gains of a row of pixels: `upper` and 65536ths of `difference`, a plane of whole blocks for each channel.
typedef struct {
    const uint16_t *upper[3];
    const int16_t *difference[3];
    int16_t share;
} flatbed_gains;

/// The darkness of a row's samples, in eighths of a level: 0 is paper, 2040 black, less than 0 brighter than paper.
///
/// \param dark a plane of whole blocks for each channel.
/// \param ink one number for each pixel: two parts luma, one part the darkest channel; whole blocks. Unused if there is one channel.
void flatbed_read_row(bool wide, const uint8_t *pixels, ptrdiff_t width, int channels, const flatbed_gains *gains,
                      int16_t *const *dark, int16_t *ink);

/// Reads the ink of a square of FLATBED_BLOCK pixels under one gain.
///
/// \param pixels its first pixel; rows follow `stride` bytes apart.
/// \param sum the sum of the ink.
/// \return pixels of pure white that are more than 40 levels brighter than paper.
int flatbed_read_square(bool wide, const uint8_t *pixels, ptrdiff_t stride, int channels, const uint16_t *gains,
                        int16_t *ink, int32_t *sum);

/// From which sum on pixels are ink, and how fast, for a block of pixels.
typedef struct {
    /// Sums up to these are paper, of 3 × 3 pixels and of seven in a line.
    int16_t square_start, line_start;
    /// 2²¹ over the sums that lie between paper and ink.
    int16_t square_slope, line_slope;
    /// How much strokes are set off from the mean around them, in 256ths.
    int16_t sharpening;
} flatbed_threshold;

/// Decides for each pixel of a row how surely it is more than paper.
///
/// \param rows the ink of seven rows, the middle one the row's own; they go on for four pixels before the first and FLATBED_BLOCK
/// after the last.
/// \param blocks blocks of pixels.
/// \param thresholds one for each block.
/// \param sums sums of 3 × 3 pixels.
/// \param open 0 for paper, up to 256 for ink.
/// \param any for each block, whether it has any ink.
void flatbed_gate_row(bool wide, const int16_t *const *rows, ptrdiff_t blocks, const flatbed_threshold *thresholds,
                      int16_t *sums, int16_t *open, uint8_t *any);

/// What a row is written from; a value for each pixel.
typedef struct {
    /// A plane for each channel, or for grey of colours the ink.
    const int16_t *dark[3];
    const int16_t *ink, *sums, *open;
    /// How much each pixel is part of a picture or a block, 0…256.
    const int16_t *areas;
    /// For each block.
    const uint8_t *any;
    const flatbed_threshold *thresholds;
} flatbed_open_row;

/// The tables of a curve: which byte of its values is whose.
enum { FLATBED_INK = 0, FLATBED_COLOURS = 1, FLATBED_PICTURES = 2 };

typedef struct {
    /// Samples by darkness, 2041 of them.
    const uint32_t *table;
    /// How much colours are strengthened, in 256ths of their distance from grey: of marks, and of pictures.
    int16_t marks_saturation, pictures_saturation;
} flatbed_curve;

/// Writes a row: white where there is no ink.
void flatbed_write_gray(bool wide, const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output);
void flatbed_write_colour(bool wide, const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output);
