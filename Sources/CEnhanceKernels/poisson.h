// Rows of Poisson's equation; see PoissonSolver.swift.

/// By how much the equation is off.
INLINE float NAME(off)(float divergence, float left, float right, float above, float below, float here) {
    return divergence - (left + right + above + below - 4 * here);
}

INLINE float NAME(off_at_rim)(float divergence, float inner, float above, float below, float here) {
    return divergence - (inner + above + below - 3 * here);
}

static void NAME(relax_row)(const float *restrict above, const float *restrict here, const float *restrict below,
                            const float *restrict divergence, ptrdiff_t columns, float step, float rim_step,
                            float *restrict output) {
    ptrdiff_t last = columns - 1;
    for (ptrdiff_t x = 1; x < last; x++) {
        float off = NAME(off)(divergence[x], here[x - 1], here[x + 1], above[x], below[x], here[x]);
        output[x] = here[x] + step * off;
    }
    float first = NAME(off_at_rim)(divergence[0], here[1], above[0], below[0], here[0]);
    output[0] = here[0] + step * first + (rim_step - step) * first;
    float end = NAME(off_at_rim)(divergence[last], here[last - 1], above[last], below[last], here[last]);
    output[last] = here[last] + step * end + (rim_step - step) * end;
}

static void NAME(residual_row)(const float *restrict above, const float *restrict here, const float *restrict below,
                               const float *restrict divergence, ptrdiff_t columns, float *restrict scratch,
                               float *restrict coarse) {
    ptrdiff_t last = columns - 1;
    for (ptrdiff_t x = 1; x < last; x++)
        scratch[x] = NAME(off)(divergence[x], here[x - 1], here[x + 1], above[x], below[x], here[x]);
    scratch[0] = NAME(off_at_rim)(divergence[0], here[1], above[0], below[0], here[0]);
    scratch[last] = NAME(off_at_rim)(divergence[last], here[last - 1], above[last], below[last], here[last]);
    for (ptrdiff_t half = 0; half < columns / 2; half++) coarse[half] += scratch[2 * half] + scratch[2 * half + 1];
    if (columns % 2 == 1) coarse[columns / 2] += scratch[last];
}

static void NAME(add_coarse_row)(const float *restrict near, const float *restrict far, ptrdiff_t columns,
                                 float *restrict scratch, float *restrict output) {
    ptrdiff_t halves = (columns + 1) / 2;
    for (ptrdiff_t half = 0; half < halves; half++) scratch[half] = 0.75f * near[half] + 0.25f * far[half];
    output[0] += 0.75f * scratch[0] + 0.25f * scratch[0];
    // Between the centres of two wide cells lie the second half of one and the first half of the next.
    for (ptrdiff_t half = 0; half + 1 < halves; half++) {
        output[2 * half + 1] += 0.75f * scratch[half] + 0.25f * scratch[half + 1];
        output[2 * half + 2] += 0.75f * scratch[half + 1] + 0.25f * scratch[half];
    }
    if (columns % 2 == 0) output[columns - 1] += 0.75f * scratch[halves - 1] + 0.25f * scratch[halves - 1];
}
