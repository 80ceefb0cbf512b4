#include "flatbed_cubic.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

int flatbed_cubic_available(void) { return __builtin_cpu_supports("avx2") != 0; }

/// Where points lie: the first byte of the first of the four rows that are weighed, and the weights' numbers.
typedef struct places {
  int32_t first[flatbed_cubic_block];
  int32_t across[flatbed_cubic_block];
  int32_t down[flatbed_cubic_block];
} places;

/// Where the points of a row lie, in whole 1/256 pixels.
///
/// All at once, long before they are needed: divisions take their time, and so does the way through memory. The target has no
/// fused multiply-add, so each operation rounds as it does in Swift.
AVX2 static inline void find_places(const flatbed_cubic_photo *photo, const flatbed_cubic_row *row, places *found) {
  const __m256d step_u = _mm256_set1_pd(row->step_u), step_v = _mm256_set1_pd(row->step_v);
  const __m256d step_w = _mm256_set1_pd(row->step_w), one = _mm256_set1_pd(1);
  const __m256d u = _mm256_set1_pd(row->u), v = _mm256_set1_pd(row->v), w = _mm256_set1_pd(row->w);
  const __m128i stride = _mm_set1_epi32((int32_t)photo->stride), channels = _mm_set1_epi32(photo->channels);
  const __m128i part = _mm_set1_epi32(255), single = _mm_set1_epi32(1);
  __m256d index = _mm256_setr_pd(0, 1, 2, 3);
  for (int i = 0; i < flatbed_cubic_block; i += 4) {
    const __m256d inverse = _mm256_div_pd(one, _mm256_add_pd(w, _mm256_mul_pd(index, step_w)));
    const __m256d x = _mm256_mul_pd(_mm256_add_pd(u, _mm256_mul_pd(index, step_u)), inverse);
    const __m256d y = _mm256_mul_pd(_mm256_add_pd(v, _mm256_mul_pd(index, step_v)), inverse);
    const __m128i columns = _mm256_cvtpd_epi32(x), lines = _mm256_cvtpd_epi32(y);
    const __m128i left = _mm_sub_epi32(_mm_srai_epi32(columns, 8), single);
    const __m128i top = _mm_sub_epi32(_mm_srai_epi32(lines, 8), single);
    const __m128i first = _mm_add_epi32(_mm_mullo_epi32(top, stride), _mm_mullo_epi32(left, channels));
    _mm_storeu_si128((__m128i *)(found->first + i), first);
    _mm_storeu_si128((__m128i *)(found->across + i), _mm_and_si128(columns, part));
    _mm_storeu_si128((__m128i *)(found->down + i), _mm_and_si128(lines, part));
    index = _mm256_add_pd(index, _mm256_set1_pd(4));
  }
}

AVX2 static inline __m256i two_rows(const uint8_t *upper, size_t stride) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)upper)),
                                 _mm_loadu_si128((const __m128i *)(upper + stride)), 1);
}

AVX2 static inline __m256i weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return _mm256_set1_epi32(pair);
}

/// Red, green, blue and nothing at a place, in units of 2⁻²².
AVX2 static inline __m128i rgb_sums(const flatbed_cubic_photo *photo, const places *found, int i) {
  // From the bytes of four pixels in a row: the channels of the first and the second side by side, and of the third and the fourth.
  const __m256i left = _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1,  //
                                        0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1);
  const __m256i right = _mm256_setr_epi8(6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1,  //
                                         6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
  const uint8_t *place = photo->samples + found->first[i];
  const int16_t *across = photo->weights + (size_t)(uint32_t)found->across[i] * 4;
  const int16_t *down = photo->weights + (size_t)(uint32_t)found->down[i] * 4;
  const __m256i near = weight_pair(across), far = weight_pair(across + 2);

  const __m256i rows01 = two_rows(place, photo->stride);
  const __m256i rows23 = two_rows(place + 2 * photo->stride, photo->stride);
  const __m256i sums01 = _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi8(rows01, left), near),
                                          _mm256_madd_epi16(_mm256_shuffle_epi8(rows01, right), far));
  const __m256i sums23 = _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi8(rows23, left), near),
                                          _mm256_madd_epi16(_mm256_shuffle_epi8(rows23, right), far));
  const __m256i four = _mm256_cvtepi16_epi32(_mm_castpd_si128(_mm_loaddup_pd((const double *)(const void *)down)));
  const __m256i down01 = _mm256_permutevar8x32_epi32(four, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
  const __m256i down23 = _mm256_permutevar8x32_epi32(four, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
  const __m256i both = _mm256_add_epi32(_mm256_mullo_epi32(sums01, down01), _mm256_mullo_epi32(sums23, down23));
  return _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}

/// The same of a grey photo, in the first place.
AVX2 static inline __m128i grey_sums(const flatbed_cubic_photo *photo, const places *found, int i) {
  const uint8_t *place = photo->samples + found->first[i];
  const int16_t *to_right = photo->weights + (size_t)(uint32_t)found->across[i] * 4;
  const int16_t *downward = photo->weights + (size_t)(uint32_t)found->down[i] * 4;
  int32_t taps[4];
  for (int k = 0; k < 4; k++) memcpy(taps + k, place + (size_t)k * photo->stride, sizeof *taps);
  const __m128i rows = _mm_setr_epi32(taps[0], taps[1], taps[2], taps[3]);
  const __m256i across = _mm256_castpd_si256(_mm256_broadcast_sd((const double *)(const void *)to_right));
  const __m128i down = _mm_loadl_epi64((const __m128i *)downward);
  const __m256i sums = _mm256_madd_epi16(_mm256_cvtepu8_epi16(rows), across);
  const __m256i twice = _mm256_cvtepi16_epi32(_mm_unpacklo_epi16(down, down));
  const __m256i products = _mm256_mullo_epi32(sums, twice);
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
  return _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
}

AVX2 static inline __m128i to_samples(__m128i sums) {
  return _mm_srai_epi32(_mm_add_epi32(sums, _mm_set1_epi32(1 << 21)), 22);
}

/// Writes four pixels of which each holds red, green, blue and nothing.
AVX2 static inline void put_rgb(const __m128i pixels[4], uint8_t *target) {
  const __m128i close = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  const __m128i samples =
      _mm_packus_epi16(_mm_packus_epi32(pixels[0], pixels[1]), _mm_packus_epi32(pixels[2], pixels[3]));
  const __m128i packed = _mm_shuffle_epi8(samples, close);
  _mm_storel_epi64((__m128i *)target, packed);
  const int32_t last = _mm_extract_epi32(packed, 2);
  memcpy(target + 8, &last, sizeof last);
}

AVX2 static inline uint8_t grey(__m128i pixel) {
  return (uint8_t)_mm_extract_epi8(_mm_packus_epi16(_mm_packus_epi32(pixel, pixel), pixel), 0);
}

// Loops over four pixels are unrolled, so that what they add up stays in registers.
#define EACH_OF_FOUR _Pragma("clang loop unroll(full)") for (int k = 0; k < 4; k++)

AVX2 static void write_rgb(const flatbed_cubic_photo *photo, const places *found, uint8_t *target) {
  for (int i = 0; i < flatbed_cubic_block; i += 4) {
    __m128i pixels[4];
    EACH_OF_FOUR pixels[k] = to_samples(rgb_sums(photo, found, i + k));
    put_rgb(pixels, target + 3 * i);
  }
}

AVX2 static void write_grey(const flatbed_cubic_photo *photo, const places *found, uint8_t *target) {
  for (int i = 0; i < flatbed_cubic_block; i++)
    target[i] = grey(to_samples(grey_sums(photo, found, i)));
}

AVX2 void flatbed_cubic_write(const flatbed_cubic_photo *photo, const flatbed_cubic_row *row, uint8_t *target) {
  places found;
  find_places(photo, row, &found);
  if (photo->channels == 3)
    write_rgb(photo, &found, target);
  else
    write_grey(photo, &found, target);
}

/// Adds what a point gives. Sums are whole numbers, which a `double` holds exactly: their order doesn't matter.
AVX2 static inline __m256d plus(__m256d sums, __m128i point) {
  return _mm256_add_pd(sums, _mm256_cvtepi32_pd(point));
}

/// A mean of sums, cut to whole numbers.
AVX2 static inline __m128i mean(__m256d sums, double factor, double bias) {
  return _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_mul_pd(sums, _mm256_set1_pd(factor)), _mm256_set1_pd(bias)));
}

/// Rows whose places are found before any of them is read: those of a pixel that covers up to two of the photo's each way.
enum { rows_at_once = 4 };

AVX2 static void add_rgb(flatbed_cubic_photo photo, const places *found, size_t count, __m256d *sums) {
  for (int i = 0; i < flatbed_cubic_block; i += 4) {
    __m256d four[4];
    EACH_OF_FOUR four[k] = sums[i + k];
    for (size_t row = 0; row < count; row++) {
      EACH_OF_FOUR four[k] = plus(four[k], rgb_sums(&photo, found + row, i + k));
    }
    EACH_OF_FOUR sums[i + k] = four[k];
  }
}

AVX2 static void add_grey(flatbed_cubic_photo photo, const places *found, size_t count, __m256d *sums) {
  for (int i = 0; i < flatbed_cubic_block; i++)
    for (size_t row = 0; row < count; row++) sums[i] = plus(sums[i], grey_sums(&photo, found + row, i));
}

AVX2 void flatbed_cubic_mean(const flatbed_cubic_photo *photo, const flatbed_cubic_row *rows, size_t count,
                             double factor, double bias, uint8_t *target) {
  __m256d sums[flatbed_cubic_block];
  for (int i = 0; i < flatbed_cubic_block; i++) sums[i] = _mm256_setzero_pd();
  while (count) {
    const size_t now = count < rows_at_once ? count : rows_at_once;
    places found[rows_at_once];
    for (size_t row = 0; row < now; row++) find_places(photo, rows + row, found + row);
    if (photo->channels == 3)
      add_rgb(*photo, found, now, sums);
    else
      add_grey(*photo, found, now, sums);
    rows += now;
    count -= now;
  }
  for (int i = 0; i < flatbed_cubic_block; i += 4) {
    __m128i pixels[4];
    EACH_OF_FOUR pixels[k] = mean(sums[i + k], factor, bias);
    if (photo->channels == 3)
      put_rgb(pixels, target + 3 * i);
    else
      EACH_OF_FOUR target[i + k] = grey(pixels[k]);
  }
}

#else

int flatbed_cubic_available(void) { return 0; }

// Never called.
void flatbed_cubic_write(const flatbed_cubic_photo *photo, const flatbed_cubic_row *row, uint8_t *target) {
  (void)photo, (void)row, (void)target;
}

void flatbed_cubic_mean(const flatbed_cubic_photo *photo, const flatbed_cubic_row *rows, size_t count, double factor,
                        double bias, uint8_t *target) {
  (void)photo, (void)rows, (void)count, (void)factor, (void)bias, (void)target;
}

#endif
