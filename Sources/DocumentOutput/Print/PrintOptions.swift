/// How a document is to be printed.
package struct PrintOptions: Sendable, Hashable {
  /// The printer, as `printers()` calls it; `nil` for the default one.
  package var destination: String?
  /// How often the whole document is printed, 1 to `mostCopies`.
  package var copies: Int
  /// A paper, tray or kind of paper, or several with commas between, as CUPS calls them (`A4`, `iso_a4_210x297mm`,
  /// `Custom.100x150mm`); `nil` for what the printer is set to.
  package var media: String?
  /// Whether colours are printed; otherwise greys are sent and the printer is told to use black ink only.
  package var color: Bool
  /// What the print system calls the job.
  ///
  /// Anyone who may see the queue can read it.
  package var jobName: String

  /// The most copies that CUPS takes by default (its `MaxCopies`).
  package static let mostCopies = 9999

  package init(
    destination: String? = nil, copies: Int = 1, media: String? = nil, color: Bool = false,
    jobName: String = ""
  ) {
    self.destination = destination
    self.copies = copies
    self.media = media
    self.color = color
    self.jobName = jobName
  }
}

/// A printer's queue as the print system describes it.
package struct Printer: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    case idle
    case printing
    /// Stopped by someone, or by an error.
    case stopped
    /// A class of printers, or a network printer without a queue here.
    case unknown
  }

  package var name: String
  package var isDefault: Bool
  package var state: State
  /// Whether its queue takes jobs.
  package var isAccepting: Bool
  /// What the print system adds, such as why the printer is stopped.
  package var message: String?

  package init(name: String, isDefault: Bool, state: State, isAccepting: Bool, message: String? = nil) {
    self.name = name
    self.isDefault = isDefault
    self.state = state
    self.isAccepting = isAccepting
    self.message = message
  }
}

/// A printer that was found ready to take a job, and the sheet it will print on.
package struct PrintQueue: Sendable, Hashable {
  /// The name to send to; with an instance (`Office/draft`) if one was asked for.
  package var destination: String
  package var sheet: Sheet

  package init(destination: String, sheet: Sheet) {
    self.destination = destination
    self.sheet = sheet
  }
}

/// A job that the print system has taken into its queue, which is not on paper yet.
package struct PrintJob: Sendable, Hashable {
  /// The print system's own name for it, such as `Office-12`; `cancel` takes it.
  package var id: String
  package var destination: String
  package var pageCount: Int
}

/// How long to wait for the print system's programs.
package struct PrintTimeLimits: Sendable, Hashable {
  /// For an answer about printers.
  ///
  /// CUPS looks for network printers for some seconds.
  package var question: Duration
  /// For `lp` to take the next piece of the document, and for its answer after the last.
  package var silence: Duration

  package init(question: Duration = .seconds(20), silence: Duration = .seconds(60)) {
    self.question = question
    self.silence = silence
  }
}
