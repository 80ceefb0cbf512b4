#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift can't call: variadic system calls, and a structure that glibc hides. All return −1 and set errno on failure.

/// Keeps this process's memory out of core dumps and from being read by others than root.
int flatbed_harden_process(void);

/// Who is at the other end of a local socket.
int flatbed_peer(int socket, uid_t *user);

/// Puts the program in a session of its own, away from the terminal, at the root folder.
int flatbed_leave_terminal(void);

/// Whether this login has a session keyring of its own, which ends with it.
int flatbed_has_session_keyring(void);

/// Keeps a secret in the session keyring for a number of seconds.
int flatbed_keyring_put(const char *name, const void *secret, size_t count, unsigned seconds);

/// Copies a secret of at most `count` bytes; gives its size.
long flatbed_keyring_get(const char *name, void *secret, size_t count);

/// Makes a key unusable for everybody, by its number.
int flatbed_keyring_revoke(int32_t key);
