import CommandLineKit
import LibraryKeys
import ScanLibrary

/// `flatbed library info`.
struct LibraryInfoCommand: Command {
  static let description = CommandDescription(
    name: "info",
    abstract: "Tell where the library is, how it is protected, and how much is in it.",
    discussion: "Of a locked library only what can be seen from outside is told; nothing is asked.",
    examples: [Example("flatbed library info", "where it is, how large, and whether backups include it")])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let path = try LibraryAccess.path(context)
    let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    let info: LibraryInfo?
    do {
      let library = try LibraryAccess.open(door, context, asks: false)
      info = try inLibrary { () throws(LibraryError) in try library.info() }
    } catch let failure as Failure where failure.code == .libraryLocked {
      info = nil
    }
    let outside = try inLibrary { () throws(LibraryError) in try Library.outside(at: path) }
    reporter.print("place       \(printable(door.path))")
    reporter.print("scans       \(info?.scans ?? outside.scans)")
    if let info {
      reporter.print("pages       \(info.pages)")
      reporter.print("photos      \(info.photos)")
    }
    reporter.print("size        \(sizeText(bytes: info?.bytes ?? outside.bytes))")
    reporter.print("protection  \(protectionText(door, isLocked: info == nil))")
    if let info {
      reporter.print(
        "backups     \(info.isExcludedFromBackup ? "passed over (.nobackup is there)" : "included")")
      if info.damagedScans > 0 {
        reporter.print("damaged     \(counted(info.damagedScans, "scan")); 'flatbed verify' tells more")
      }
    }
    reporter.emit(Answer(door: door, info: info, outside: outside))
    return .success
  }

  private func protectionText(_ door: LibraryDoor, isLocked: Bool) -> String {
    guard case .passphrase = door.protection else { return "readable by its owner only, not encrypted" }
    let recovery = door.protection.hasRecoveryKey ? "a passphrase and a recovery key" : "a passphrase"
    return "encrypted with \(recovery); \(isLocked ? "locked" : "unlocked")"
  }

  private struct Answer: Encodable {
    let door: LibraryDoor
    let info: LibraryInfo?
    let outside: (scans: Int, bytes: Int)

    private enum Key: String, CodingKey {
      case path, id, format, protection, locked, recoveryKey, scans, damagedScans, pages, photos, bytes
      case excludedFromBackup
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(door.path, forKey: .path)
      try container.encode(door.id.text, forKey: .id)
      try container.encode(info?.format, forKey: .format)
      try container.encode(door.protection.name, forKey: .protection)
      try container.encode(info == nil, forKey: .locked)
      try container.encode(door.protection.hasRecoveryKey, forKey: .recoveryKey)
      try container.encode(info?.scans ?? outside.scans, forKey: .scans)
      try container.encode(info?.damagedScans, forKey: .damagedScans)
      try container.encode(info?.pages, forKey: .pages)
      try container.encode(info?.photos, forKey: .photos)
      try container.encode(info?.bytes ?? outside.bytes, forKey: .bytes)
      try container.encode(info?.isExcludedFromBackup, forKey: .excludedFromBackup)
    }
  }
}
