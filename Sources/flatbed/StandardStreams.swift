import Glibc

/// The three streams that every program is started with, or should be.
enum StandardStreams {
  /// Puts something in the place of streams that are closed, so that no file of the library gets their numbers, and messages
  /// are written into it.
  ///
  /// Reading from a closed standard input, and writing to a closed standard output, still fail. Messages to a closed standard
  /// error are lost, as was asked for. Has to come before any file is opened.
  static func replaceClosed() {
    for (stream, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
    where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is taken, which is this one.
      _ = unsafe open("/dev/null", access)
    }
  }
}
