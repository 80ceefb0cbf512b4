#define _GNU_SOURCE
#include "flatbed_processors.h"

#include <sched.h>

int flatbed_available_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
