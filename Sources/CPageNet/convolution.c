#include "convolution.h"

#include <string.h>

enum { LANES = FLATBED_CONVOLUTION_LANES, SPAN = FLATBED_CONVOLUTION_SPAN };

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int bits __attribute__((vector_size(LANES * sizeof(int))));

// Compiled twice for x86-64, with and without AVX2 and fused multiplication, and chosen when the program is loaded: before
// the thread sanitizer has begun, which would look at the choice too.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

FOR_EACH_PROCESSOR
void flatbed_convolve(const float *input, ptrdiff_t line_row, ptrdiff_t input_row, ptrdiff_t input_step, int side, int inputs,
                      const float *weights, const float *bias, float *output, ptrdiff_t output_row, int outputs,
                      int width, int height, bool rectified) {
  const ptrdiff_t reach = (ptrdiff_t)side * inputs;
  const ptrdiff_t block_weights = side * reach * LANES;
  for (int first = 0; first < outputs; first += LANES, weights += block_weights) {
    lanes start;
    memcpy(&start, bias + first, sizeof start);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x += SPAN) {
        lanes sums[SPAN];
        for (int place = 0; place < SPAN; place++) sums[place] = start;
        const float *weight = weights;
        for (int line = 0; line < side; line++) {
          const float *from = input + y * input_row + line * line_row + x * input_step;
          for (ptrdiff_t index = 0; index < reach; index++, weight += LANES) {
            lanes w;
            memcpy(&w, weight, sizeof w);
#pragma clang loop unroll(full)
            for (int place = 0; place < SPAN; place++) sums[place] += w * from[place * input_step + index];
          }
        }
        float *to = output + y * output_row + (ptrdiff_t)x * outputs + first;
#pragma clang loop unroll(full)
        for (int place = 0; place < SPAN; place++) {
          lanes sum = sums[place];
          if (rectified) sum = (lanes)((bits)sum & (sum > 0));
          memcpy(to + (ptrdiff_t)place * outputs, &sum, sizeof sum);
        }
      }
    }
  }
}
