#define _GNU_SOURCE
#include "CSpawnShims.h"

int flatbed_spawn_close_from(posix_spawn_file_actions_t *actions, int number) {
  return posix_spawn_file_actions_addclosefrom_np(actions, number);
}

short flatbed_spawn_new_session(void) { return POSIX_SPAWN_SETSID; }
