package import CommandLineKit

/// Anything that went wrong, as it is told: what and why, what to do, and the exit status.
package struct Failure: Error, Sendable, Hashable, Encodable {
  /// Stable text for scripts, such as `image.truncated`; docs/errors.md lists them all.
  package var code: Code
  /// The file, scan or printer that it is about.
  package var subject: String?
  /// A sentence in lower case without a full stop: `can't read a.jpg: the file is empty`.
  package var message: String
  /// What would help, each a sentence of the same form.
  package var hints: [String]

  /// Whether it has been told already, and only the work has to end.
  var isTold = false

  package var status: ExitStatus { code.status }

  /// The same failure, after it has been told.
  var told: Failure {
    var told = self
    told.isTold = true
    return told
  }

  init(_ code: Code, subject: String? = nil, _ message: String, hints: [String] = []) {
    self.code = code
    self.subject = subject
    self.message = message
    self.hints = hints
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(code.rawValue, forKey: .code)
    try container.encode(subject, forKey: .subject)
    try container.encode(message, forKey: .message)
    try container.encode(hints, forKey: .hints)
  }

  private enum Key: String, CodingKey { case code, subject, message, hints }
}

extension Failure {
  /// Every kind of failure, with its exit status.
  package enum Code: String, Sendable, CaseIterable {
    case inputMissing = "input.missing"
    case inputUnreadable = "input.unreadable"
    case inputNoPictures = "input.no-pictures"
    case imageNotRecognised = "image.not-recognised"
    case imageUnsupported = "image.unsupported"
    case imageTooLarge = "image.too-large"
    case imageDamaged = "image.damaged"
    case imageSeveralPages = "image.several-pages"
    case pageNotFound = "page.not-found"
    case pageCorners = "page.corners"
    case outputExists = "output.exists"
    case outputNotWritable = "output.not-writable"
    case libraryUnusable = "library.unusable"
    case libraryFaulty = "library.faulty"
    case libraryLocked = "library.locked"
    case libraryPassphrase = "library.passphrase"
    case scanNotFound = "scan.not-found"
    case scanAmbiguous = "scan.ambiguous"
    case scanPages = "scan.pages"
    case printSystem = "print.system"
    case printRefused = "print.refused"
    case reviewUnservable = "review.unservable"
    case usage = "usage"
    case passphraseUnusable = "passphrase.unusable"
    case needsPassphrase = "usage.needs-passphrase"
    case needsConfirmation = "usage.needs-confirmation"
    case interrupted = "interrupted"
    case internalFault = "internal"

    /// The status the program ends with when this is the gravest that happened.
    package var status: ExitStatus {
      switch self {
      case .inputMissing, .inputUnreadable, .inputNoPictures, .imageNotRecognised, .imageUnsupported,
        .imageTooLarge, .imageDamaged, .imageSeveralPages, .pageCorners:
        .badInput
      case .pageNotFound: .noPage
      case .outputExists, .outputNotWritable, .reviewUnservable: .output
      case .libraryUnusable, .libraryFaulty, .scanNotFound, .scanAmbiguous, .scanPages: .library
      case .printSystem, .printRefused: .printer
      case .libraryLocked: .locked
      case .libraryPassphrase: .wrongPassphrase
      case .usage, .needsConfirmation, .needsPassphrase, .passphraseUnusable: .usage
      case .interrupted: .interrupted
      case .internalFault: .internalFault
      }
    }
  }
}

extension Failure {
  /// A command line that makes no sense, for scripts; people get its usage line too.
  init(usage error: UsageError) {
    self.init(.usage, error.message, hints: error.suggestion.map { [$0] } ?? [])
  }

  /// Ctrl-C, or another signal that asks for an end.
  static let interruption = Failure(.interrupted, "stopped by a signal; what was finished is kept")
}

extension Failure {
  /// An error that no command has a sentence for: a fault of ours, told as such.
  init(unexpected error: any Error) {
    self.init(
      .internalFault, "\(describable(error))",
      hints: ["this is a fault of flatbed's; please report it with the command that led to it"])
  }
}
