#include <malloc.h>
#include <stdatomic.h>
#include <string.h>

#include "CProcessMemory.h"

// Sanitizers bring an allocator of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOCATOR_IS_FOREIGN
#endif
#endif

// Memory at the end of the heap from which on it goes back to the kernel: more than the pages of a usual photo take in turn.
static const int most_idle = 256 << 20;

void flatbed_keep_memory(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, most_idle);
}

static atomic_bool wipes;

void flatbed_begin_wiping(void) { atomic_store(&wipes, 1); }

void flatbed_wipe_block(void *block) {
  if (block) memset(block, 0, malloc_usable_size(block));
}

#ifndef ALLOCATOR_IS_FOREIGN

// The program's `free` and `realloc` stand before glibc's for all libraries, which are reached by these names. glibc could overwrite
// memory itself (M_PERTURB), but fills it when it is allocated, too, and leaves small blocks as they are.
void __libc_free(void *block);
void *__libc_realloc(void *block, size_t size);

void free(void *block) {
  if (atomic_load_explicit(&wipes, memory_order_relaxed)) flatbed_wipe_block(block);
  __libc_free(block);
}

/// Moves what grows, or shrinks much, so that what is left behind passes through `free`.
void *realloc(void *block, size_t size) {
  if (!block || !atomic_load_explicit(&wipes, memory_order_relaxed)) return __libc_realloc(block, size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  const size_t usable = malloc_usable_size(block);
  if (size <= usable && size >= usable / 2) return block;
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, block, size < usable ? size : usable);
  free(block);
  return moved;
}

#endif
