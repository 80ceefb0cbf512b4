import Glibc
import ScanLibrary
import Testing

@Suite("An error")
struct ErrorTests {
  @Test(
    "of the system is a sentence, not a number",
    arguments: [
      (ENOSPC, "no space left on device"), (EDQUOT, "the disk quota is used up"),
      (EACCES, "permission denied"), (EPERM, "permission denied"), (EROFS, "the file system is read-only"),
      (EIO, "the disk reported an input/output error"), (EMFILE, "too many open files"),
      (ENOLCK, "the file system does not support locks"), (EINVAL, "invalid argument"),
      (ENAMETOOLONG, "the name is too long"), (99999, "system error 99999"),
    ])
  func system(_ code: Int32, _ text: String) {
    let error = LibraryError.system(.write, path: "/l/x", code: code)
    #expect(error.description == text)
    #expect(error.path == "/l/x")
  }

  private static let id = ScanID("3f2a91c0-58d7-4c1e-8a40-7be1d0c2f9aa") ?? ScanID()

  @Test(
    "says what is wrong, in lower case and without a full stop",
    arguments: [
      (.noLibrary(path: "/l"), "there is no library yet"),
      (.notALibrary(path: "/l", holdsOtherFiles: false), "not a Flatbed library: library.json is missing"),
      (
        .notALibrary(path: "/l", holdsOtherFiles: true),
        "not a Flatbed library, and there are other files in the folder"
      ),
      (
        .newerFormat(path: "/l", found: 3, known: 1),
        "it was written by a newer Flatbed (format 3, this one knows 1) and can't be changed"
      ),
      (
        .unknownProtection(path: "/l", name: "riddle"),
        "it is protected in a way this Flatbed does not know (riddle)"
      ),
      (.busy(path: "/l", holder: nil), "the library is being written to by another program"),
      (.noSuchScan(reference: "x", near: []), "there is no scan \"x\""),
      (
        .noSuchScan(reference: "x", near: ["xy", "xz"]),
        "there is no scan \"x\"; did you mean \"xy\" or \"xz\"?"
      ),
      (.damagedScan(id, reason: "record.json is empty"), "scan 3f2a91c0 is damaged: record.json is empty"),
      (.damagedFile(scan: id, file: "photo-1.jpg", damage: .empty), "photo-1.jpg of scan 3f2a91c0 is empty"),
      (
        .damagedFile(scan: id, file: "photo-1.jpg", damage: .unreadable(code: EIO)),
        "photo-1.jpg of scan 3f2a91c0 can't be read: the disk reported an input/output error"
      ),
      (.noPages, "a scan must have at least one page"),
      (
        .system(.setPermissions, path: "/l", code: EPERM),
        "files can't be kept for their owner alone there: the folder is someone else's, or the file system has no permissions"
      ),
    ] as [(LibraryError, String)])
  func sentences(_ error: LibraryError, _ text: String) { #expect(error.description == text) }
}
