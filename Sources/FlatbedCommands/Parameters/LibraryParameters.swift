import CommandLineKit
import ScanLibrary

/// The library that a command works on.
enum LibraryAccess {
  static func path(_ context: CommandContext) throws(Failure) -> String {
    if let path = context.arguments[Global.library] { return path }
    do {
      return try defaultLibraryPath(environment: context.environment)
    } catch {
      throw Failure(library: error)
    }
  }

  /// Says so when another program makes this one wait.
  private static func patience(_ context: CommandContext) -> LockPatience {
    let console = context.console
    return LockPatience { holder in
      console.note("waiting for \(holder.map(printable) ?? "another program") to finish with the library …")
    }
  }

  /// The library, which must be there.
  static func open(_ context: CommandContext) throws(Failure) -> Library {
    let path = try path(context)
    return try inLibrary { () throws(LibraryError) in try Library.open(at: path, patience: patience(context))
    }
  }

  /// The library, which is made if it isn't there.
  static func openOrCreate(_ context: CommandContext) throws(Failure) -> Library {
    let path = try path(context)
    return try inLibrary { () throws(LibraryError) in
      try Library.openOrCreate(at: path, patience: patience(context))
    }
  }
}

/// Does something with the library, and gives its errors their sentences.
func inLibrary<Value>(_ body: () throws(LibraryError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(library: error)
  }
}

/// Which scans a command is about.
enum ScanReference {
  static let type = ValueType<String>.string("SCAN").completed(by: ["list", "--completions"])
  static let one = Argument("SCAN", type, help: "The start of a scan's id, or its title.")
  static let several = Argument(
    repeating: "SCAN", type, help: "Scans, each by the start of its id or by its title.")
  static let any = Argument(
    repeating: "SCAN", atLeast: 0, type, help: "Scans, each by the start of its id or by its title.")

  /// The scans that are meant, each once.
  static func find(_ references: [String], in library: Library) throws(Failure) -> [ScanRecord] {
    var found: [ScanRecord] = []
    for reference in references {
      let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
      if !found.contains(where: { $0.id == scan.id }) { found.append(scan) }
    }
    return found
  }
}
