package import CommandLineKit

/// The program: its commands, and what every one of them shares.
package enum FlatbedProgram {
  package static let version = "0.1.0"
  /// The day of this version, which the man page shows.
  package static let releaseDate = "2026-11-30"

  package static let program = Program(
    name: "flatbed",
    abstract: "Turn photos of pages into clean, private scans.",
    discussion: """
      Flatbed finds the page in a photo, flattens it, makes it readable, keeps it in a library that only you can read, and hands it on \
      as PNG or to a printer. Originals are kept: modes, turns and corners can be changed at any time. It opens no network connection, \
      except to the local print system, and to the browser on this machine when it is asked to.

      A scan is named by any unambiguous start of its id, or by its title.
      """,
    examples: [
      Example("flatbed scan Photos/", "a folder of photos becomes one scan, a page a photo"),
      Example("flatbed scan --separate receipts/*.jpg", "a scan a photo"),
      Example("flatbed list", "what is in the library"),
      Example("flatbed review", "set right in the browser what was not found"),
      Example("flatbed export 3f2a -o out/", "PNGs of a scan, enhanced"),
      Example("flatbed print 3f2a -d Office", "on paper, in grey"),
    ],
    version: version, parameters: Global.all, quiet: Global.quiet,
    commands: [
      ScanCommand.self, ListCommand.self, ShowCommand.self, ExportCommand.self, PrintCommand.self,
      RenameCommand.self, ModeCommand.self, RotateCommand.self, AdjustCommand.self, PagesCommand.self,
      ReviewCommand.self,
      DeleteCommand.self, TrashCommand.self, VerifyCommand.self, LibraryCommand.self, UnlockCommand.self,
      LockCommand.self, PrintersCommand.self, DetectCommand.self, FlattenCommand.self, GenerateCommand.self,
      KeepKeyCommand.self,
    ])

  /// Runs a command line to its end, and tells what failed.
  package static func run(
    _ words: [String], console: Console, environment: [String: String]
  ) async -> ExitStatus {
    let asJSON = words.prefix { $0 != "--" }.contains("--json")
    var status: ExitStatus
    do {
      // In text this fault would be told by the program itself.
      if asJSON { _ = try program.parse(words) }
      status = try await program.run(words, console: console, environment: environment)
    } catch let error as UsageError {
      if asJSON {
        show(Failure(usage: error), on: console, asJSON: true)
      } else {
        program.report(error, on: console)
      }
      status = .usage
    } catch is CancellationError {
      show(.interruption, on: console, asJSON: asJSON)
      status = .interrupted
    } catch is OutputFailure {
      // The console remembers it; it is told below, like every failure to write results.
      status = .success
    } catch {
      let failure = (error as? Failure) ?? Failure(unexpected: error)
      if !failure.isTold { show(failure, on: console, asJSON: asJSON) }
      status = failure.status
    }
    switch console.outputFailure {
    case nil, .closedPipe: break
    case .system(let code):
      let failure = Failure(
        .outputNotWritable, "can't write to the standard output: \(OutputFailure.system(code))")
      show(failure, on: console, asJSON: asJSON)
      status = failure.status
    }
    return status
  }
}
