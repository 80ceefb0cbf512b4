#define _GNU_SOURCE
#include "CFileShims.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int flatbed_open_below(int folder, const char *path) {
  struct open_how how = {
      .flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
  };
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
