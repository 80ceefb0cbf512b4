#pragma once

/// Has the allocator keep what is freed for what is allocated next, large blocks too, in one heap for all threads.
///
/// By itself glibc maps each picture anew, and getting the pages of a photo of 12 megapixels from the kernel takes a quarter of the time
/// of decoding it. Has to be called before other threads are started.
void flatbed_keep_memory(void);

/// From now on whatever this program frees is overwritten with zeros.
void flatbed_begin_wiping(void);

/// Overwrites a block of the allocator's.
void flatbed_wipe_block(void *_Nullable block);
