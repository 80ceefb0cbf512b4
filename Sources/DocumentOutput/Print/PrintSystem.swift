private import Glibc

/// The print system, CUPS, spoken to through its programs `lp`, `lpstat` and `lpoptions`.
///
/// To print: ask for a `queue`, which finds out all that could be wrong with the printer; make a `PrintDocument` for its
/// sheet; `send` it. Nothing of a document is written to a file by us; CUPS itself keeps jobs in its spool.
package struct PrintSystem: Sendable {
  let environment: [String: String]
  let limits: PrintTimeLimits

  /// - Parameters:
  ///   - environment: in which the programs run; `PATH` finds them, `CUPS_SERVER`, `LPDEST` and `PRINTER` count as ever.
  package init(
    environment: [String: String] = Self.ownEnvironment, limits: PrintTimeLimits = PrintTimeLimits()
  ) {
    var environment = environment
    // Answers are read by their English words. Names in them stay UTF-8, whatever the locale.
    environment["LC_ALL"] = "C"
    environment["LANGUAGE"] = nil
    self.environment = environment
    self.limits = limits
  }

  /// The environment of this process.
  package static var ownEnvironment: [String: String] {
    var found: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return found
  }

  /// The printers there are, by name.
  ///
  /// An empty list means that none is set up; a print system that isn't there or doesn't answer is an error.
  package func printers() throws(PrintError) -> [Printer] {
    try requireScheduler()
    let states = LpstatAnswer.states(try ask("lpstat", ["-p"]))
    let acceptance = LpstatAnswer.acceptance(try ask("lpstat", ["-a"]))
    // Also names printers that announce themselves on the network; CUPS makes a queue for one when it's used.
    let listed = LpstatAnswer.names(try ask("lpstat", ["-e"]))
    let standard = LpstatAnswer.standard(try ask("lpstat", ["-d"]))
    let standardName = standard.map { String($0.prefix { $0 != "/" }) }
    let names = Set(states.keys).union(acceptance.keys).union(listed)
    return names.sorted().map { name in
      let state = states[name]
      let accepts = acceptance[name]
      return Printer(
        name: name, isDefault: name == standardName, state: state?.state ?? .unknown,
        isAccepting: accepts?.isAccepting ?? true,
        message: accepts?.isAccepting == false ? accepts?.message : state?.message)
    }
  }

  /// Finds the printer that the options mean, and makes sure that it would print.
  ///
  /// - Throws: among others `.noDefault`, `.unknownPrinter`, `.stopped`, `.rejecting`, `.unknownMedia`.
  package func queue(for options: PrintOptions) throws(PrintError) -> PrintQueue {
    guard (1...PrintOptions.mostCopies).contains(options.copies) else {
      throw .copiesOutOfRange(options.copies)
    }
    let printers = try printers()
    guard !printers.isEmpty else { throw .noPrinter }
    let known = printers.map(\.name)
    let destination: String
    if let named = options.destination {
      destination = named
    } else if let standard = LpstatAnswer.standard(try ask("lpstat", ["-d"])) {
      destination = standard
    } else {
      throw .noDefault(known: known)
    }
    let name = String(destination.prefix { $0 != "/" })
    guard let printer = printers.first(where: { $0.name == name }) else {
      throw .unknownPrinter(destination, known: known)
    }
    if printer.state == .stopped { throw .stopped(printer: name, reason: printer.message) }
    if !printer.isAccepting { throw .rejecting(printer: name, reason: printer.message) }
    return PrintQueue(destination: destination, sheet: try sheet(for: options.media, printer: destination))
  }

  /// Sends a document as one job.
  ///
  /// - Returns: the job as the print system has queued it. Whether and when it's on paper is the printer's affair.
  package func send(
    _ document: consuming PrintDocument, to queue: PrintQueue, options: PrintOptions
  ) throws(PrintError) -> PrintJob {
    let pageCount = document.pageCount
    guard pageCount > 0 else { throw .noPages }
    let arguments = Self.arguments(for: options, destination: queue.destination, color: document.color)
    let outcome = try ChildProcess.run(
      "lp", arguments, environment: environment, input: document.finished(), silence: limits.silence)
    guard outcome.status == 0 else { throw failure("lp", outcome) }
    guard let id = LpstatAnswer.jobID(outcome.output) else { throw failure("lp", outcome) }
    return PrintJob(id: id, destination: queue.destination, pageCount: pageCount)
  }

  /// What `lp` is told; the document comes by standard input.
  static func arguments(for options: PrintOptions, destination: String, color: Bool) -> [String] {
    var settings = [
      // Shrinks the sheet to the printable part of the real one: nothing is lost at the edges. Both names, since older
      // systems know only the second. Never `landscape`: filters have long disagreed about it, so we turn pages.
      "print-scaling=fit", "fit-to-page",
      "print-color-mode=\(color ? "color" : "monochrome")",
      // What a user's lpoptions may have set for other work.
      "number-up=1", "sides=one-sided",
    ]
    if options.copies > 1 { settings.append("collate=true") }
    if let media = options.media { settings.append("media=\(media)") }
    return ["-d", destination, "-n", String(options.copies), "-t", jobName(options.jobName)]
      + settings.flatMap { ["-o", $0] }
  }

  /// The longest name of a job in IPP, in bytes.
  private static let longestJobName = 255

  /// A title that every print system takes as a job's name: one line, not empty, not too long.
  static func jobName(_ title: String) -> String {
    var name = ""
    for character in title {
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      let next = isControl || character.isNewline ? " " : String(character)
      if name.utf8.count + next.utf8.count > longestJobName { break }
      name += next
    }
    return name.allSatisfy(\.isWhitespace) ? "Scan" : name
  }

  // MARK: Questions

  private func requireScheduler() throws(PrintError) {
    // Ends with 0 either way, and only its words tell.
    let outcome = try ChildProcess.run(
      "lpstat", ["-r"], environment: environment, silence: limits.question)
    guard outcome.output.contains("scheduler is running") else { throw .notRunning }
  }

  /// The answer of a program that lists things; empty when it says that there is nothing to list.
  func ask(_ program: String, _ arguments: [String]) throws(PrintError) -> String {
    let outcome = try ChildProcess.run(
      program, arguments, environment: environment, silence: limits.question)
    if outcome.status == 0 || outcome.errors.contains("No destinations added") { return outcome.output }
    throw failure(program, outcome)
  }

  private func failure(_ program: String, _ outcome: ChildProcess.Outcome) -> PrintError {
    let lines = outcome.errors.split(whereSeparator: \.isNewline)
    let message = (lines.first ?? "").trimmingPrefix("\(program): ").trimmingPrefix("Error - ")
    var text = String(message)
    if text.hasSuffix(".") { text.removeLast() }
    if text.isEmpty, outcome.status > 128 { text = "ended by signal \(outcome.status - 128)" }
    if text.contains("cheduler is not running") || text.contains("nable to connect to server") {
      return .notRunning
    }
    return .failed(program: program, message: text)
  }
}
