private import CKeyShims
private import CProcessMemory
private import Glibc

/// What the program does before it touches a key.
package enum ProcessHardening {
  /// From now on no core dump is written, nobody but root can read this process's memory, and memory that is freed is overwritten.
  ///
  /// It is done once; a system that refuses a part of it is no reason not to work.
  package static func begin() { _ = isDone }

  private static let isDone: Bool = {
    flatbed_begin_wiping()
    return flatbed_harden_process() == 0
  }()
}
