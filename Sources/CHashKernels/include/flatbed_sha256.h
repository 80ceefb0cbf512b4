#pragma once

#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) by the instructions that processors have for it.

/// Whether this processor has them.
int flatbed_sha256_available(void);

/// Takes `count` blocks of 64 bytes into the eight words of the state.
void flatbed_sha256_blocks(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);
