#pragma once

#include <stddef.h>
#include <stdint.h>

/// Rows that one call takes.
enum { flatbed_paeth_rows = 4 };

/// Undoes Paeth's filter in four rows, each a pixel behind the one above, so that none waits for the one before.
///
/// Rows are `pixels` of `channels` bytes, 1 or 3.
/// - `filtered`: the first row, without the byte that tells the filter; the next ones begin `pitch` bytes on each.
/// - `above`: the row before the first. Three bytes behind it, and behind the last filtered row, are read, and may be anything.
/// - `rows`: where the rows are written, one directly after the other.
void flatbed_undo_paeth(const uint8_t *_Nonnull filtered, size_t pitch, const uint8_t *_Nonnull above, size_t pixels,
                        int channels, uint8_t *_Nonnull rows);
