#define _GNU_SOURCE
#include "CKeyShims.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int flatbed_harden_process(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int flatbed_peer(int socket, uid_t *user) {
  struct ucred peer;
  socklen_t count = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &count) != 0) return -1;
  *user = peer.uid;
  return 0;
}

int flatbed_leave_terminal(void) {
  if (setsid() < 0 && errno != EPERM) return -1;
  return chdir("/");
}

int flatbed_has_session_keyring(void) {
  // Without one of its own, a process is told the keyring that all processes of the user share.
  long own = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
  long shared = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_SESSION_KEYRING, 0);
  return own > 0 && own != shared;
}

int flatbed_keyring_put(const char *name, const void *secret, size_t count, unsigned seconds) {
  long key = syscall(SYS_add_key, "user", name, secret, count, KEY_SPEC_SESSION_KEYRING);
  if (key < 0) return -1;
  // All rights for who has the keyring; others of the same user may see that it is there (0x01) and revoke it (0x04).
  if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x3F050000) < 0 ||
      syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0) {
    int code = errno;
    syscall(SYS_keyctl, KEYCTL_REVOKE, key);
    errno = code;
    return -1;
  }
  return 0;
}

long flatbed_keyring_get(const char *name, void *secret, size_t count) {
  long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", name, 0);
  if (key < 0) return -1;
  return syscall(SYS_keyctl, KEYCTL_READ, key, secret, count);
}

int flatbed_keyring_revoke(int32_t key) { return (int)syscall(SYS_keyctl, KEYCTL_REVOKE, key); }
