// From darkness to samples.

/// What sharpening adds to the darkness of pixels: a share of the difference to the mean of nine.
INLINE SHORTS NAME(edge)(SHORTS ink, SHORTS sum, int16_t sharpening) {
    // 7282 is 2¹⁶ / 9.
    SHORTS difference = ink - NAME(part)(sum, NAME(all)(7282));
    return NAME(part)(difference * 8, NAME(all)((int16_t)(sharpening * 32)));
}

/// A darkness as an index of the curve's tables.
INLINE SHORTS NAME(index)(SHORTS dark, SHORTS open) { return NAME(clamped)(NAME(part)(dark * 4, open * 64), 0, 2040); }

/// 256ths of the way from `first` to `second`, which are samples.
INLINE SHORTS NAME(mixed)(SHORTS first, SHORTS second, SHORTS share) {
    return first + NAME(part)((second - first) * 128, share * 2);
}

/// What the curve's tables have for some darknesses.
INLINE void NAME(look_up)(const flatbed_curve *curve, SHORTS darkness, uint32_t *values) {
    int16_t indices[LANES];
    NAME(store)(indices, darkness);
    for (int i = 0; i < LANES; i++) values[i] = curve->table[indices[i]];
}

/// One of the tables' samples.
INLINE SHORTS NAME(sample)(const uint32_t *values, int table) {
    NAME(longs) all;
    memcpy(&all, values, sizeof all);
    return __builtin_convertvector((all >> (8 * table)) & 255, SHORTS);
}

/// Writes the blocks of a row, white ones at once and the others by `block`, which gets scratch for one that goes beyond the end.
#define FLATBED_WRITE_BLOCKS(channels, block)                                          \
    ptrdiff_t blocks = (width + FLATBED_BLOCK - 1) / FLATBED_BLOCK;                    \
    memset(output, 255, (size_t)((channels) * width));                                 \
    for (ptrdiff_t index = 0; index < blocks; index++) {                               \
        if (!row->any[index]) continue;                                                \
        ptrdiff_t x = index * FLATBED_BLOCK;                                           \
        if (x + FLATBED_BLOCK <= width) {                                              \
            block(row, curve, index, output + (channels) * x);                         \
        } else {                                                                       \
            uint8_t last[(channels) * FLATBED_BLOCK];                                  \
            block(row, curve, index, last);                                            \
            memcpy(output + (channels) * x, last, (size_t)((channels) * (width - x))); \
        }                                                                              \
    }

INLINE void NAME(gray_block)(const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t block,
                             uint8_t *restrict output) {
    int16_t sharpening = row->thresholds[block].sharpening;
    for (ptrdiff_t lane = 0; lane < FLATBED_BLOCK; lane += LANES) {
        ptrdiff_t x = block * FLATBED_BLOCK + lane;
        SHORTS ink = NAME(load)(row->ink + x), areas = NAME(load)(row->areas + x);
        SHORTS edge = NAME(edge)(ink, NAME(load)(row->sums + x), sharpening);
        uint32_t found[LANES];
        NAME(look_up)(curve, NAME(index)(ink + edge, NAME(load)(row->open + x)), found);
        SHORTS tones = NAME(sample)(found, FLATBED_INK);
        if (!NAME(is_zero)(areas)) tones = NAME(mixed)(tones, NAME(sample)(found, FLATBED_PICTURES), areas);
        NAME(store_bytes)(output + lane, tones);
    }
}

static void NAME(write_gray)(const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output) {
    FLATBED_WRITE_BLOCKS(1, NAME(gray_block))
}

INLINE void NAME(colour_block)(const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t block,
                               uint8_t *restrict output) {
    int16_t sharpening = row->thresholds[block].sharpening;
    for (ptrdiff_t lane = 0; lane < FLATBED_BLOCK; lane += LANES) {
        ptrdiff_t x = block * FLATBED_BLOCK + lane;
        SHORTS areas = NAME(load)(row->areas + x), open = NAME(load)(row->open + x);
        SHORTS edge = NAME(edge)(NAME(load)(row->ink + x), NAME(load)(row->sums + x), sharpening);
        SHORTS red = NAME(index)(NAME(load)(row->dark[0] + x) + edge, open);
        SHORTS green = NAME(index)(NAME(load)(row->dark[1] + x) + edge, open);
        SHORTS blue = NAME(index)(NAME(load)(row->dark[2] + x) + edge, open);
        SHORTS chroma = NAME(larger)(NAME(larger)(red, green), blue)
            - __builtin_elementwise_min(__builtin_elementwise_min(red, green), blue);
        // 256 for grey, 0 for clear colour.
        SHORTS grey = NAME(clamped)((672 - chroma) >> 1, 0, 256);
        uint32_t reds[LANES], greens[LANES], blues[LANES];
        NAME(look_up)(curve, red, reds);
        NAME(look_up)(curve, green, greens);
        NAME(look_up)(curve, blue, blues);
        red = NAME(sample)(reds, FLATBED_INK);
        green = NAME(sample)(greens, FLATBED_INK);
        blue = NAME(sample)(blues, FLATBED_INK);
        if (!NAME(is_zero)(grey - 256)) {
            red = NAME(mixed)(NAME(sample)(reds, FLATBED_COLOURS), red, grey);
            green = NAME(mixed)(NAME(sample)(greens, FLATBED_COLOURS), green, grey);
            blue = NAME(mixed)(NAME(sample)(blues, FLATBED_COLOURS), blue, grey);
        }
        SHORTS saturation = NAME(all)(curve->marks_saturation);
        if (!NAME(is_zero)(areas)) {
            red = NAME(mixed)(red, NAME(sample)(reds, FLATBED_PICTURES), areas);
            green = NAME(mixed)(green, NAME(sample)(greens, FLATBED_PICTURES), areas);
            blue = NAME(mixed)(blue, NAME(sample)(blues, FLATBED_PICTURES), areas);
            saturation += ((curve->pictures_saturation - saturation) * areas) >> 8;
        }
        SHORTS luma = (SHORTS)((NAME(words))(77 * red + 150 * green + 29 * blue) >> 8);
        red = NAME(clamped)(red + (((red - luma) * saturation) >> 8), 0, 255);
        green = NAME(clamped)(green + (((green - luma) * saturation) >> 8), 0, 255);
        blue = NAME(clamped)(blue + (((blue - luma) * saturation) >> 8), 0, 255);
        uint8_t planes[3][LANES];
        NAME(store_bytes)(planes[0], red);
        NAME(store_bytes)(planes[1], green);
        NAME(store_bytes)(planes[2], blue);
        for (int i = 0; i < LANES; i++) {
            output[3 * (lane + i)] = planes[0][i];
            output[3 * (lane + i) + 1] = planes[1][i];
            output[3 * (lane + i) + 2] = planes[2][i];
        }
    }
}

static void NAME(write_colour)(const flatbed_open_row *row, const flatbed_curve *curve, ptrdiff_t width, uint8_t *output) {
    FLATBED_WRITE_BLOCKS(3, NAME(colour_block))
}

#undef FLATBED_WRITE_BLOCKS
