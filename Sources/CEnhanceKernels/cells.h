// A page seen through cells: what the light is measured on.

/// Interleaved samples, a plane each.
static void NAME(split)(const uint8_t *restrict pixels, ptrdiff_t count, uint8_t *restrict red, uint8_t *restrict green,
                        uint8_t *restrict blue) {
    for (ptrdiff_t x = 0; x < count; x++) {
        red[x] = pixels[3 * x];
        green[x] = pixels[3 * x + 1];
        blue[x] = pixels[3 * x + 2];
    }
}

static void NAME(pick)(const uint8_t *restrict line, ptrdiff_t last, ptrdiff_t step, ptrdiff_t start, ptrdiff_t count,
                       uint8_t *restrict plane) {
    // Only the last one can lie beyond the end.
    ptrdiff_t inside = count > 0 && (count - 1) * step + start > last ? count - 1 : count;
    if (step == 1) {
        memcpy(plane, line + start, (size_t)inside);
    } else if (step == 2) {
        for (ptrdiff_t x = 0; x < inside; x++) plane[x] = line[2 * x + start];
    } else {
        for (ptrdiff_t x = 0; x < inside; x++) plane[x] = line[step * x + start];
    }
    if (inside < count) plane[inside] = line[last];
}

static void NAME(weigh)(const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue,
                        ptrdiff_t count, int16_t *restrict lumas) {
    for (ptrdiff_t x = 0; x < count; x++) {
        uint16_t sum = (uint16_t)(77 * red[x] + 150 * green[x] + 29 * blue[x]);
        lumas[x] = (int16_t)(sum >> 1);
    }
}

static void NAME(thin_row)(const uint8_t *pixels, ptrdiff_t width, int channels, ptrdiff_t step, ptrdiff_t start,
                           ptrdiff_t count, ptrdiff_t stride, uint8_t *const *planes, int16_t *lumas, uint8_t *scratch) {
    if (channels == 3) {
        uint8_t *lines[3] = {scratch, scratch + width, scratch + 2 * width};
        NAME(split)(pixels, width, lines[0], lines[1], lines[2]);
        for (int channel = 0; channel < 3; channel++)
            NAME(pick)(lines[channel], width - 1, step, start, count, planes[channel]);
    } else {
        NAME(pick)(pixels, width - 1, step, start, count, planes[0]);
    }
    for (int channel = 0; channel < channels; channel++) memset(planes[channel] + count, 0, (size_t)(stride - count));
    NAME(weigh)(planes[0], planes[channels / 2], planes[channels - 1], count, lumas);
    for (ptrdiff_t x = count; x < stride; x++) lumas[x] = -1;
}

INLINE void NAME(means)(const flatbed_cells *cells, int side, ptrdiff_t full, int16_t *restrict means) {
    int32_t count = side * cells->rows;
    for (ptrdiff_t cell = 0; cell < full; cell++) {
        int32_t sum = 0;
        for (int y = 0; y < cells->rows; y++) {
            const int16_t *line = cells->lumas + y * cells->stride + cell * side;
            for (int x = 0; x < side; x++) sum += line[x];
        }
        means[cell] = (int16_t)((sum + count - 1) / count);
    }
}

static void NAME(cell_means)(const flatbed_cells *cells, ptrdiff_t width, int16_t *restrict means) {
    int side = cells->side;
    ptrdiff_t full = width / side;
    if (side == 4 && cells->rows == 4) {
        // The usual case, with its numbers known to the compiler.
        const int16_t *restrict a = cells->lumas;
        const int16_t *restrict b = a + cells->stride, *restrict c = b + cells->stride, *restrict d = c + cells->stride;
        for (ptrdiff_t cell = 0; cell < full; cell++) {
            int32_t sum = 0;
            for (int x = 0; x < 4; x++)
                sum += (a[4 * cell + x] + b[4 * cell + x]) + (c[4 * cell + x] + d[4 * cell + x]);
            means[cell] = (int16_t)((sum + 15) >> 4);
        }
    } else {
        NAME(means)(cells, side, full, means);
    }
    for (ptrdiff_t cell = full; cell < cells->columns; cell++) {
        int32_t sum = 0, count = (int32_t)(width - cell * side) * cells->rows;
        for (int y = 0; y < cells->rows; y++)
            for (ptrdiff_t x = cell * side; x < width; x++) sum += cells->lumas[y * cells->stride + x];
        means[cell] = (int16_t)((sum + count - 1) / count);
    }
}

/// All ones in `mask` where a pixel is chosen, and how many there are in each column of pixels.
static void NAME(choose)(const int16_t *restrict lumas, const int16_t *restrict low, const int16_t *restrict high,
                         ptrdiff_t count, int16_t *restrict mask, int16_t *restrict total) {
    for (ptrdiff_t x = 0; x < count; x++) {
        int16_t chosen = (int16_t)-((lumas[x] >= low[x]) & (lumas[x] <= high[x]));
        mask[x] = chosen;
        total[x] = (int16_t)(total[x] - chosen);
    }
}

static void NAME(add)(const uint8_t *restrict plane, const int16_t *restrict mask, ptrdiff_t count, int16_t *restrict total) {
    for (ptrdiff_t x = 0; x < count; x++) total[x] = (int16_t)(total[x] + (plane[x] & mask[x]));
}

INLINE void NAME(gather)(const int16_t *restrict totals, int side, ptrdiff_t columns, int32_t *restrict output) {
    for (ptrdiff_t cell = 0; cell < columns; cell++) {
        int32_t sum = 0;
        for (int x = 0; x < side; x++) sum += totals[cell * side + x];
        output[cell] = sum;
    }
}

INLINE void NAME(limits)(const int16_t *restrict cells, int side, ptrdiff_t columns, int16_t *restrict pixels) {
    for (ptrdiff_t cell = 0; cell < columns; cell++)
        for (int x = 0; x < side; x++) pixels[cell * side + x] = cells[cell];
}

static void NAME(cell_sums)(const flatbed_cells *cells, const int16_t *lows, const int16_t *highs, int32_t *counts,
                            int32_t *const *sums, int16_t *scratch) {
    ptrdiff_t columns = cells->columns, stride = cells->stride;
    int side = cells->side;
    ptrdiff_t count = columns * side;
    int16_t *low = scratch, *high = scratch + stride, *totals = scratch + 2 * stride;
    int16_t mask[512];
    if (side == 4) {
        NAME(limits)(lows, 4, columns, low);
        NAME(limits)(highs, 4, columns, high);
    } else {
        NAME(limits)(lows, side, columns, low);
        NAME(limits)(highs, side, columns, high);
    }
    memset(totals, 0, (size_t)(1 + cells->channels) * (size_t)stride * sizeof *totals);
    for (int y = 0; y < cells->rows; y++) {
        for (ptrdiff_t x = 0; x < count; x += 512) {
            ptrdiff_t length = count - x < 512 ? count - x : 512;
            ptrdiff_t place = y * stride + x;
            NAME(choose)(cells->lumas + place, low + x, high + x, length, mask, totals + x);
            for (int channel = 0; channel < cells->channels; channel++)
                NAME(add)(cells->planes[channel] + place, mask, length, totals + (channel + 1) * stride + x);
        }
    }
    for (int plane = 0; plane <= cells->channels; plane++) {
        int32_t *output = plane == 0 ? counts : sums[plane - 1];
        if (side == 4) {
            NAME(gather)(totals + plane * stride, 4, columns, output);
        } else {
            NAME(gather)(totals + plane * stride, side, columns, output);
        }
    }
}

INLINE void NAME(extremes)(int16_t *values, const int16_t *others, ptrdiff_t count, bool least) {
    // Forwards, since the others lie after the values: what is written isn't read again.
    ptrdiff_t x = 0;
    for (; x + LANES <= count; x += LANES) {
        SHORTS first = NAME(load)(values + x), second = NAME(load)(others + x);
        NAME(store)(values + x, least ? __builtin_elementwise_min(first, second) : __builtin_elementwise_max(first, second));
    }
    for (; x < count; x++) {
        if (least ? others[x] < values[x] : others[x] > values[x]) values[x] = others[x];
    }
}

static void NAME(extremes_after)(int16_t *values, ptrdiff_t count, ptrdiff_t step, ptrdiff_t window, bool least) {
    for (ptrdiff_t covered = 1; covered < window;) {
        ptrdiff_t more = covered < window - covered ? covered : window - covered;
        ptrdiff_t length = count - more * step;
        if (length > 0) {
            if (least) {
                NAME(extremes)(values, values + more * step, length, true);
            } else {
                NAME(extremes)(values, values + more * step, length, false);
            }
        }
        covered += more;
    }
}
