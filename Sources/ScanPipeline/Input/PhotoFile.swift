private import Glibc
private import SystemErrors

/// Why a photo's file could not be read; each as a clause that follows "can't read NAME: ".
package enum PhotoFileError: Error, Hashable, CustomStringConvertible {
  case missing
  case isFolder
  case isDevice
  case tooLarge(bytes: Int)
  /// The task was cancelled while it waited for a stream.
  case stopped
  case system(errno: Int32)

  package var description: String {
    switch self {
    case .missing: "there is no such file or folder"
    case .isFolder: "it is a folder"
    case .isDevice: "it is a device, not a file"
    case .tooLarge(let bytes):
      "the file is larger than \(PhotoFile.largestFile >> 20) MB (\(bytes >> 20) MB or more)"
    case .stopped: "reading it was stopped"
    case .system(let code): systemErrorText(code)
    }
  }
}

/// A file or stream that a photo is read from.
package struct PhotoFile: Sendable, Hashable {
  /// As the user gave or would give it; `-` is the standard input.
  package let path: String

  package init(path: String) { self.path = path }

  /// A photo of more than this is refused, so that a wrong path can't fill the memory.
  ///
  /// The largest camera files, uncompressed 100-megapixel TIFFs at 16 bits, are near 600 MB.
  package static let largestFile = 2 << 30

  /// The last part of the path: what a person calls the photo.
  package var name: String { path == "-" ? "standard input" : lastComponent(of: path) }

  /// The name without its suffix.
  package var stem: String {
    let name = name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Whether a path leads to this very file.
  package func isSameFile(as other: String) -> Bool {
    guard path != "-", let identity = Folder.identity(of: path) else { return false }
    return Folder.identity(of: other) == identity
  }

  /// Whether it can be read only once: the standard input, or a pipe such as `<(command)` gives.
  var isStream: Bool {
    if path == "-" { return true }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// All bytes of the file.
  package func read() throws(PhotoFileError) -> [UInt8] {
    try read(atMost: nil)
  }

  /// The first bytes of the file, as many as `count` or fewer when it ends before.
  package func read(first count: Int) throws(PhotoFileError) -> [UInt8] {
    try read(atMost: count)
  }

  private func read(atMost limit: Int?) throws(PhotoFileError) -> [UInt8] {
    if path == "-" { return try drain(STDIN_FILENO, limit: limit, expecting: 0) }
    // Opening a FIFO would wait for somebody who writes to it, and couldn't be stopped.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .missing : .system(errno: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .isFolder
    // A pipe is what `<(command)` gives.
    case S_IFREG, S_IFIFO: break
    default: throw .isDevice
    }
    let size = Int(status.st_size)
    guard size <= Self.largestFile else { throw .tooLarge(bytes: size) }
    return try drain(descriptor, limit: limit, expecting: size)
  }

  /// How long a stream is waited for before it is looked whether it should be.
  private static let patience: Int32 = 50

  /// Returns when a read wouldn't wait, which for a file is at once.
  ///
  /// - Throws: `stopped` when the task is cancelled before.
  private func waitForBytes(_ descriptor: Int32) throws(PhotoFileError) {
    while poll(descriptor, milliseconds: Self.patience) == 0 {
      if Task.isCancelled { throw .stopped }
    }
  }

  private func drain(
    _ descriptor: Int32, limit: Int?, expecting size: Int
  ) throws(PhotoFileError) -> [UInt8] {
    let most = limit ?? Self.largestFile + 1
    var bytes: [UInt8] = []
    // One byte more than the file has, so that its end is seen without growing the buffer.
    bytes.reserveCapacity(min(most, size + 1))
    while bytes.count < most {
      // A pipe tells no size, and a file may have grown.
      let rest = size > 0 && bytes.count <= size ? size + 1 - bytes.count : 1 << 16
      let step = min(most - bytes.count, rest)
      let start = bytes.count
      try waitForBytes(descriptor)
      var got = 0
      var failure: Int32 = 0
      bytes.append(contentsOf: repeatElement(0, count: step))
      unsafe bytes.withUnsafeMutableBytes { buffer in
        repeat {
          got = unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), step)
        } while got < 0 && errno == EINTR
        failure = errno
      }
      bytes.removeLast(step - max(got, 0))
      // Somebody else has read what was there.
      if got < 0, failure == EAGAIN { continue }
      if got < 0 { throw .system(errno: failure) }
      if got == 0 { break }
    }
    guard bytes.count <= Self.largestFile else { throw .tooLarge(bytes: bytes.count) }
    return bytes
  }
}

/// The part of a path after its last slash, trailing slashes aside; the path itself when there is none.
func lastComponent(of path: String) -> String {
  let parts = path.split(separator: "/")
  return parts.last.map(String.init) ?? path
}

/// How many of one descriptor can be read from, 0 when that doesn't come about in time.
private func poll(_ descriptor: Int32, milliseconds: Int32) -> Int32 {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&request, 1, milliseconds)
}
