// How dark pixels are under the light, and how surely they are ink.

static void NAME(spread_gains)(const uint16_t *restrict plane, ptrdiff_t columns, ptrdiff_t cell, ptrdiff_t width,
                               uint16_t *restrict gains) {
    ptrdiff_t x = 0;
    for (ptrdiff_t left = -1; left < columns; left++) {
        int32_t from = plane[left < 0 ? 0 : left] << 8;
        int32_t to = plane[left + 1 < columns ? left + 1 : columns - 1] << 8;
        // Below 2²³ the quotient's whole part is exact, and much faster than a division of whole numbers.
        int32_t slope = (int32_t)((float)(to - from) / (float)cell);
        ptrdiff_t centre = left * cell + cell / 2;
        ptrdiff_t end = left == columns - 1 || centre + cell > width ? width : centre + cell;
        // An even cell's centre is between two pixels.
        int32_t start = from + slope * (int32_t)(x - centre) + (cell % 2 == 0 ? slope / 2 : 0) + 128;
        int32_t count = (int32_t)(end - x);
        // The usual sides of cells, so that the compiler lays all of one out.
        if (count == 8) {
            for (int32_t i = 0; i < 8; i++) gains[x + i] = (uint16_t)((start + slope * i) >> 8);
        } else if (count == 4) {
            for (int32_t i = 0; i < 4; i++) gains[x + i] = (uint16_t)((start + slope * i) >> 8);
        } else {
            for (int32_t i = 0; i < count; i++) gains[x + i] = (uint16_t)((start + slope * i) >> 8);
        }
        if (end > x) x = end;
    }
}

INLINE int16_t NAME(share)(int16_t value, int16_t share) { return (int16_t)((value * share) >> 16); }

INLINE int16_t NAME(darkness)(uint8_t sample, uint16_t gain) {
    // (sample + 14) · 2⁷ · gain · 2¹² / 2¹⁶: eight times the sample as it would be in full light.
    uint16_t raised = (uint16_t)((sample + 14) << 7);
    uint16_t lit = (uint16_t)(((uint32_t)raised * gain) >> 16);
    // 8 · (255 + 14) is what paper comes to when its gain is right.
    int16_t dark = (int16_t)(2152 - lit);
    return dark < -1024 ? -1024 : dark;
}

INLINE int16_t NAME(inkiness)(int16_t red, int16_t green, int16_t blue) {
    int16_t darkest = red > green ? red : green;
    if (blue > darkest) darkest = blue;
    // Shares of 2¹⁴, since the values are multiplied by four to lose less: 2/3 of 0.299, 0.587 and 0.114, and 1/3.
    return (int16_t)(NAME(share)((int16_t)(red * 4), 3292) + NAME(share)((int16_t)(green * 4), 6412)
                     + NAME(share)((int16_t)(blue * 4), 1240) + NAME(share)((int16_t)(darkest * 4), 5440));
}

/// The darkness of `blocks` blocks of samples.
static void NAME(read_plane)(const uint8_t *restrict samples, ptrdiff_t blocks, const uint16_t *restrict upper,
                             const int16_t *restrict difference, int16_t share, int16_t *restrict dark) {
    typedef NAME(words) WORDS;
    typedef NAME(longs) LONGS;
    typedef uint8_t bytes __attribute__((vector_size(LANES)));
    for (ptrdiff_t x = 0; x < blocks * FLATBED_BLOCK; x += LANES) {
        bytes few;
        memcpy(&few, samples + x, sizeof few);
        WORDS gain, raised = (__builtin_convertvector(few, WORDS) + 14) << 7;
        memcpy(&gain, upper + x, sizeof gain);
        gain += (WORDS)NAME(part)(NAME(load)(difference + x), NAME(all)(share));
        LONGS lit = (__builtin_convertvector(raised, LONGS) * __builtin_convertvector(gain, LONGS)) >> 16;
        SHORTS value = 2152 - (SHORTS)__builtin_convertvector(lit, WORDS);
        NAME(store)(dark + x, NAME(larger)(value, NAME(all)(-1024)));
    }
}

static void NAME(weigh_ink)(const int16_t *restrict red, const int16_t *restrict green, const int16_t *restrict blue,
                            ptrdiff_t blocks, int16_t *restrict ink) {
    for (ptrdiff_t x = 0; x < blocks * FLATBED_BLOCK; x++) ink[x] = NAME(inkiness)(red[x], green[x], blue[x]);
}

static void NAME(read_row)(const uint8_t *pixels, ptrdiff_t width, int channels, const flatbed_gains *gains,
                           int16_t *const *dark, int16_t *ink) {
    enum { part = 512 };
    uint8_t planes[3][part] = {{0}};
    for (ptrdiff_t x = 0; x < width; x += part) {
        ptrdiff_t count = width - x < part ? width - x : part;
        ptrdiff_t blocks = (count + FLATBED_BLOCK - 1) / FLATBED_BLOCK;
        if (channels == 3) {
            NAME(split)(pixels + 3 * x, count, planes[0], planes[1], planes[2]);
        } else {
            memcpy(planes[0], pixels + x, (size_t)count);
        }
        for (int channel = 0; channel < channels; channel++)
            NAME(read_plane)(planes[channel], blocks, gains->upper[channel] + x, gains->difference[channel] + x,
                             gains->share, dark[channel] + x);
        if (channels == 3) NAME(weigh_ink)(dark[0] + x, dark[1] + x, dark[2] + x, blocks, ink + x);
    }
}

static int NAME(read_square)(const uint8_t *pixels, ptrdiff_t stride, int channels, const uint16_t *gains,
                             int16_t *restrict ink, int32_t *sum) {
    enum { side = FLATBED_BLOCK, size = side * side };
    uint8_t planes[3][size], least[size];
    int16_t dark[3][size], differences[side] = {0};
    for (int y = 0; y < side; y++) {
        if (channels == 3) {
            NAME(split)(pixels + y * stride, side, planes[0] + y * side, planes[1] + y * side, planes[2] + y * side);
        } else {
            memcpy(planes[0] + y * side, pixels + y * stride, side);
        }
    }
    for (int channel = 0; channel < channels; channel++) {
        uint16_t upper[side];
        for (int x = 0; x < side; x++) upper[x] = gains[channel];
        for (int y = 0; y < side; y++)
            NAME(read_plane)(planes[channel] + y * side, 1, upper, differences, 0,
                             (channels == 3 ? dark[channel] : ink) + y * side);
    }
    if (channels == 3) {
        NAME(weigh_ink)(dark[0], dark[1], dark[2], side, ink);
        for (int x = 0; x < size; x++) least[x] = planes[0][x] & planes[1][x] & planes[2][x];
    } else {
        memcpy(least, planes[0], size);
    }
    int32_t total = 0;
    int16_t white = 0;
    for (int x = 0; x < size; x++) total += ink[x];
    for (int x = 0; x < size; x++) white = (int16_t)(white + ((least[x] == 255) & (ink[x] < -320)));
    *sum = total;
    return white;
}

INLINE SHORTS NAME(certainty)(SHORTS sum, int16_t start, int16_t slope) {
    // The largest distance from a start that counts is one whose eightfold fits.
    SHORTS above = NAME(clamped)(sum - start, 0, 4095);
    return NAME(part)(above * 8, NAME(all)(slope));
}

static void NAME(gate_row)(const int16_t *const *rows, ptrdiff_t blocks, const flatbed_threshold *thresholds,
                           int16_t *sums, int16_t *open, uint8_t *any) {
    for (ptrdiff_t block = 0; block < blocks; block++) {
        flatbed_threshold threshold = thresholds[block];
        SHORTS seen = {0};
        for (ptrdiff_t x = block * FLATBED_BLOCK; x < (block + 1) * FLATBED_BLOCK; x += LANES) {
            const int16_t *a = rows[0] + x, *b = rows[1] + x, *c = rows[2] + x, *d = rows[3] + x, *e = rows[4] + x,
                          *f = rows[5] + x, *g = rows[6] + x;
#define AT(row, offset) NAME(load)(row + (offset))
            SHORTS c1 = AT(c, -1), c2 = AT(c, 0), c3 = AT(c, 1), d1 = AT(d, -1), d2 = AT(d, 0), d3 = AT(d, 1), e1 = AT(e, -1),
                   e2 = AT(e, 0), e3 = AT(e, 1);
            SHORTS square = ((c1 + c2) + (c3 + d1)) + ((d2 + d3) + (e1 + e2)) + e3;
            SHORTS lying = ((AT(d, -3) + AT(d, -2)) + (d1 + d3)) + (AT(d, 2) + AT(d, 3));
            SHORTS upright = ((AT(a, 0) + AT(b, 0)) + (c2 + e2)) + (AT(f, 0) + AT(g, 0));
            SHORTS falling = ((AT(a, -3) + AT(b, -2)) + (c1 + e3)) + (AT(f, 2) + AT(g, 3));
            SHORTS rising = ((AT(a, 3) + AT(b, 2)) + (c3 + e1)) + (AT(f, -2) + AT(g, -3));
#undef AT
            SHORTS line = d2 + NAME(larger)(NAME(larger)(lying, upright), NAME(larger)(falling, rising));
            SHORTS sure = NAME(larger)(NAME(certainty)(square, threshold.square_start, threshold.square_slope),
                                       NAME(certainty)(line, threshold.line_start, threshold.line_slope));
            sure = NAME(clamped)(sure, 0, 256);
            NAME(store)(sums + x, square);
            NAME(store)(open + x, sure);
            seen |= sure;
        }
        any[block] = !NAME(is_zero)(seen);
    }
}
