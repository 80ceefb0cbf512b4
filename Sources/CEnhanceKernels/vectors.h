// Vectors of LANES values, and what is done with them. NAME adds the kind of processor to a function's name.

typedef int16_t NAME(shorts) __attribute__((vector_size(2 * LANES)));
typedef int32_t NAME(ints) __attribute__((vector_size(4 * LANES)));
typedef uint16_t NAME(words) __attribute__((vector_size(2 * LANES)));
typedef uint32_t NAME(longs) __attribute__((vector_size(4 * LANES)));
#define SHORTS NAME(shorts)

INLINE SHORTS NAME(load)(const int16_t *from) {
    SHORTS value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void NAME(store)(int16_t *to, SHORTS value) { memcpy(to, &value, sizeof value); }

/// Stores the lower halves.
INLINE void NAME(store_bytes)(uint8_t *to, SHORTS value) {
    typedef uint8_t bytes __attribute__((vector_size(LANES)));
    bytes few = __builtin_convertvector(value, bytes);
    memcpy(to, &few, sizeof few);
}

/// The upper halves of products: 65536ths of a value.
INLINE SHORTS NAME(part)(SHORTS value, SHORTS share) {
    typedef NAME(ints) INTS;
    return __builtin_convertvector((__builtin_convertvector(value, INTS) * __builtin_convertvector(share, INTS)) >> 16, SHORTS);
}

INLINE SHORTS NAME(all)(int16_t value) { return value - (SHORTS){0}; }

INLINE SHORTS NAME(larger)(SHORTS first, SHORTS second) { return __builtin_elementwise_max(first, second); }

INLINE SHORTS NAME(clamped)(SHORTS value, int16_t least, int16_t most) {
    return __builtin_elementwise_min(__builtin_elementwise_max(value, NAME(all)(least)), NAME(all)(most));
}

INLINE bool NAME(is_zero)(SHORTS value) { return __builtin_reduce_or(value) == 0; }
