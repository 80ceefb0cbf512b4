#pragma once

// What Swift can't call: a system call without a function of its own.

/// Opens `path`, below the open folder `folder`, for reading; fails with ELOOP if any part of it is a symbolic link, and with
/// ENOSYS on systems that can't tell (Linux before 5.6).
///
/// Never waits, not even for a pipe. Returns −1 and sets errno on failure.
int flatbed_open_below(int folder, const char *path);
