package import LibraryKeys
private import SystemErrors

/// Why something could not be done with a library.
///
/// The description is the reason alone, as a lower-case sentence; `path` tells where, when there is a place to tell.
package enum LibraryError: Error, Sendable, Hashable {
  /// The system refused a call, with its `errno`.
  case system(FileOperation, path: String, code: Int32)
  /// Neither `FLATBED_LIBRARY`, `XDG_DATA_HOME` nor `HOME` says where the library is.
  case noPlace
  /// There is nothing at the path.
  case noLibrary(path: String)
  /// There is a folder, but `library.json` is missing; `holdsOtherFiles` when it isn't ours to fill either.
  case notALibrary(path: String, holdsOtherFiles: Bool)
  /// A file of the library can't be made sense of.
  case damagedLibrary(path: String, reason: String)
  /// Written by a newer Flatbed: it may be read as far as it can be understood, but not changed.
  case newerFormat(path: String, found: Int, known: Int)
  /// The library is protected in a way that this version doesn't know.
  case unknownProtection(path: String, name: String)
  /// The library is sealed, and its key is not at hand.
  case locked(path: String)
  /// The key is not the library's.
  case wrongKey(path: String)
  /// The library says that its content lies open, and there is sealed content.
  case sealedBesideOpen(path: String)
  /// Another program has given the library another protection or key since it was opened.
  case protectionChanged(path: String)
  /// Something went wrong with a key.
  case key(KeyError)
  /// Another program has been writing for too long.
  case busy(path: String, holder: String?)
  /// No scan of that id or title; `near` are titles that look like it.
  case noSuchScan(reference: String, near: [String])
  /// Several scans could be meant.
  case ambiguous(reference: String, candidates: [ScanSummary])
  /// The scan's record can't be made sense of.
  case damagedScan(ScanID, reason: String)
  /// A file of a scan is not what its record says.
  case damagedFile(scan: ScanID, file: String, damage: FileDamage)
  /// The scan has no page of that number: it never had, or another program has replaced or removed it.
  case noSuchPage(scan: ScanID, number: Int)
  /// The scan has no photo of that number.
  case noSuchPhoto(scan: ScanID, number: Int)
  /// A scan must have a page.
  case noPages
  /// A new order must name each page once.
  case badOrder
  /// A value can't be stored: which, and what is wrong with it.
  case unfit(String)
  /// The thing at the path is no regular file.
  case notAFile(path: String)
  /// A file is larger than any the library writes there.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// The scan has been committed or discarded already.
  case finished

  /// The file or folder the error is about.
  package var path: String? {
    switch self {
    case .system(_, let path, _), .noLibrary(let path), .notALibrary(let path, _),
      .damagedLibrary(let path, _), .newerFormat(let path, _, _), .unknownProtection(let path, _),
      .locked(let path), .wrongKey(let path), .sealedBesideOpen(let path), .protectionChanged(let path),
      .busy(let path, _), .notAFile(let path), .tooLarge(let path, _, _):
      path
    case .noPlace, .noSuchScan, .ambiguous, .damagedScan, .damagedFile, .noSuchPage, .noSuchPhoto,
      .noPages, .badOrder, .unfit, .finished, .key:
      nil
    }
  }
}

/// What is wrong with a stored file.
package enum FileDamage: Sendable, Hashable {
  case missing
  case empty
  case wrongSize(found: Int, recorded: Int)
  case altered
  case notAFile
  case unreadable(code: Int32)
  /// It is not what was sealed there.
  case seal(SealFault)
}

/// As much of a scan as it takes to tell it from others in a message.
package struct ScanSummary: Sendable, Hashable {
  package var id: ScanID
  package var title: String
  package var createdAt: Timestamp
  package var pageCount: Int
}

extension LibraryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(.setPermissions, _, notPermittedCode):
      "files can't be kept for their owner alone there: the folder is someone else's, or the file system has no permissions"
    case .system(_, _, let code):
      systemErrorText(code)
    case .noPlace:
      "none of FLATBED_LIBRARY, XDG_DATA_HOME and HOME says where the library is"
    case .noLibrary:
      "there is no library yet"
    case .notALibrary(_, holdsOtherFiles: true):
      "not a Flatbed library, and there are other files in the folder"
    case .notALibrary:
      "not a Flatbed library: library.json is missing"
    case .damagedLibrary(_, let reason):
      "the library is damaged: \(reason)"
    case .newerFormat(_, let found, let known):
      "it was written by a newer Flatbed (format \(found), this one knows \(known)) and can't be changed"
    case .unknownProtection(_, let name):
      "it is protected in a way this Flatbed does not know (\(name))"
    case .locked:
      "the library is locked"
    case .wrongKey:
      "the key is not the library's, or library.json was changed"
    case .sealedBesideOpen:
      "library.json says that the library is not protected, but its scans are sealed: someone has changed it"
    case .protectionChanged:
      "another program has just changed the library's protection"
    case .key(let error):
      "\(error)"
    case .busy(_, let holder?):
      "the library is being written to by \(holder)"
    case .busy(_, nil):
      "the library is being written to by another program"
    case .noSuchScan(let reference, let near):
      near.isEmpty
        ? "there is no scan \(quoted(reference))"
        : "there is no scan \(quoted(reference)); did you mean \(near.map(quoted).joined(separator: " or "))?"
    case .ambiguous(let reference, let candidates):
      "\(quoted(reference)) could be any of \(candidates.count) scans: "
        + candidates.map { "\($0.id.short) (\(quoted($0.title)))" }.joined(separator: ", ")
    case .damagedScan(let id, let reason):
      "scan \(id.short) is damaged: \(reason)"
    case .damagedFile(let scan, let file, let damage):
      "\(file) of scan \(scan.short) \(damage)"
    case .noSuchPage(let scan, let number):
      "scan \(scan.short) has no page numbered \(number), or another program has just changed it"
    case .noSuchPhoto(let scan, let number):
      "scan \(scan.short) has no photo numbered \(number)"
    case .noPages:
      "a scan must have at least one page"
    case .badOrder:
      "the new order must name each page once"
    case .unfit(let reason):
      reason
    case .notAFile:
      "it is not a regular file"
    case .tooLarge(_, let bytes, let limit):
      "it has \(bytes) bytes, more than the \(limit) allowed"
    case .finished:
      "the scan has been stored or discarded already"
    }
  }
}

extension FileDamage: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "is missing"
    case .empty: "is empty"
    case .wrongSize(let found, let recorded): "has \(found) bytes, but its record says \(recorded)"
    case .altered: "is not what was stored: its SHA-256 differs"
    case .notAFile: "is not a regular file"
    case .seal(let fault): "\(fault)"
    case .unreadable(let code): "can't be read: \(systemErrorText(code))"
    }
  }
}

/// A title or reference in quotation marks, with control characters shown instead of sent to the terminal.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
      // Emoji are joined by this one, and it moves nothing on the screen.
      if scalar == "\u{200D}" {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
