#ifndef FLATBED_CONVOLUTION_H
#define FLATBED_CONVOLUTION_H

#include <stdbool.h>
#include <stddef.h>

/// Outputs that are summed at once.
#define FLATBED_CONVOLUTION_LANES 8
/// Neighbouring places that are worked on together; a map's width is a multiple of it.
#define FLATBED_CONVOLUTION_SPAN 7

/// A layer of `side` × `side` places, all inputs to all outputs, over a whole map.
///
/// `input` points to the upper left place that the first output sees, `output` to the first output. Strides count numbers:
/// `line_row` leads to the next row of the map, `input_row` to what the next row of outputs sees, `input_step` to what the
/// next output of a row sees.
/// `weights` holds for each block of outputs, each row, column and input of the kernel one number a lane; `bias` one for
/// each output. Negative sums become zero where `rectified`.
void flatbed_convolve(const float *input, ptrdiff_t line_row, ptrdiff_t input_row, ptrdiff_t input_step, int side, int inputs,
                      const float *weights, const float *bias, float *output, ptrdiff_t output_row, int outputs,
                      int width, int height, bool rectified);

#endif
