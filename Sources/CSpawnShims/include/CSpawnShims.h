#pragma once
#include <spawn.h>

// What glibc shows only to programs that ask for GNU's own, which Swift's module doesn't.

/// Has a child close every open file from this number on, whatever was inherited from whoever started us.
int flatbed_spawn_close_from(posix_spawn_file_actions_t *actions, int number);

/// The flag by which a child gets a session of its own, away from our terminal.
short flatbed_spawn_new_session(void);
