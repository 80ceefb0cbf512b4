package import CommandLineKit

extension ExitStatus {
  /// Some of the inputs failed, the others are done.
  package static let someFailed = ExitStatus(rawValue: 1)
  /// No input could be used.
  package static let badInput = ExitStatus(rawValue: 3)
  /// A photo has no page, and `--strict` was given.
  package static let noPage = ExitStatus(rawValue: 4)
  /// The output could not be written.
  package static let output = ExitStatus(rawValue: 5)
  /// The library can't be used, has no such scan, or has a fault.
  package static let library = ExitStatus(rawValue: 6)
  /// The print system or the printer.
  package static let printer = ExitStatus(rawValue: 7)
  /// The library is locked, and no passphrase was given.
  package static let locked = ExitStatus(rawValue: 8)
  /// The passphrase or recovery key is wrong.
  package static let wrongPassphrase = ExitStatus(rawValue: 9)
  /// A fault of the program itself.
  package static let internalFault = ExitStatus(rawValue: 70)
  /// Ctrl-C.
  package static let interrupted = ExitStatus(rawValue: 130)
}
