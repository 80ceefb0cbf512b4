#include "flatbed_sha256.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define SHA __attribute__((target("sha,sse4.1")))

int flatbed_sha256_available(void) {
  unsigned a, b, c, d;
  // Leaf 7, EBX, bit 29.
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) && __builtin_cpu_supports("sse4.1");
}

// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

SHA void flatbed_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count) {
  const __m128i swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  // The instructions want the state as (f, e, b, a) and (h, g, d, c), lowest first.
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i feba = _mm_alignr_epi8(badc, hgfe, 8), hgdc = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; count; count--, blocks += 64) {
    const __m128i feba_before = feba, hgdc_before = hgdc;
    __m128i words[4];
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), swap);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      const __m128i now = words[i & 3], last = words[(i + 3) & 3];
      const __m128i sums = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sums);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sums, 0x0e));
      // The four words that come sixteen later.
      const __m128i near = _mm_alignr_epi8(last, words[(i + 2) & 3], 4);
      words[i & 3] =
          _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, words[(i + 1) & 3]), near), last);
    }
    feba = _mm_add_epi32(feba, feba_before);
    hgdc = _mm_add_epi32(hgdc, hgdc_before);
  }
  const __m128i abef = _mm_shuffle_epi32(feba, 0x1b), ghcd = _mm_shuffle_epi32(hgdc, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abef, ghcd, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(ghcd, abef, 8));
}

#else

int flatbed_sha256_available(void) { return 0; }

// Never called.
void flatbed_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count) {
  (void)state, (void)blocks, (void)count;
}

#endif
