import Foundation
import Glibc
import ImageCodecs
import Raster
import ScanPipeline
import SystemErrors

/// A folder of photos, and what is known about them.
///
/// The truth is in one `truth.json`, an object from file names to entries, or else in a `NAME.json` beside each photo.
package struct TruthFolder: Sendable {
  package let path: String
  /// In the order of file names.
  package let truths: [PhotoTruth]
  /// What was left out, and why, as sentences.
  package let notes: [String]

  /// Reads all truth in a folder; photos are looked at only so far as to tell that they are some.
  ///
  /// - Throws: `TruthError`.
  package init(path: String) throws(TruthError) {
    self.path = path
    let names = try Self.names(in: path)
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    if names.contains(Self.common) {
      (truths, notes) = try Self.fromOneFile(folder, names)
    } else {
      (truths, notes) = try Self.fromFilesBeside(folder, names)
    }
    guard !truths.isEmpty else { throw .nothingToMeasure(path) }
  }

  private static func names(in path: String) throws(TruthError) -> [String] {
    // Foundation doesn't tell why a folder can't be listed.
    guard let stream = unsafe opendir(path) else {
      throw .unreadableFolder(path, reason: systemErrorText(errno))
    }
    unsafe closedir(stream)
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .unreadableFolder(path, reason: reasonText(error))
    }
  }

  /// The path of one of the folder's files.
  package func path(_ name: String) -> String {
    URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name).path
  }

  /// The file that tells of all photos.
  private static let common = "truth.json"
  /// How the name of a page as it was before it was photographed ends: it is no photo.
  static let cleanSuffix = ".clean.png"

  private typealias Contents = (truths: [PhotoTruth], notes: [String])

  private static func fromOneFile(_ folder: URL, _ names: [String]) throws(TruthError) -> Contents {
    let entries: [String: TruthEntry] = try read(folder, common)
    var contents: Contents = ([], [])
    for (photo, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard names.contains(photo) else {
        contents.notes.append("\(photo) is not there, though \(common) tells of it")
        continue
      }
      contents.truths.append(try checked(entry, photo: photo, in: common))
    }
    contents.notes += photos(folder, names).filter { entries[$0] == nil }.map {
      "\($0) has no truth: \(common) doesn't tell of it"
    }
    return contents
  }

  private static func fromFilesBeside(_ folder: URL, _ names: [String]) throws(TruthError) -> Contents {
    let photos = photos(folder, names)
    var contents: Contents = ([], [])
    for photo in photos {
      let beside = stem(photo) + ".json"
      guard names.contains(beside) else {
        contents.notes.append("\(photo) has no truth: there is no \(beside) beside it")
        continue
      }
      let entry: TruthEntry = try read(folder, beside)
      if let file = entry.file, file != photo {
        contents.notes.append("\(photo) has no truth: \(beside) tells of \(file)")
        continue
      }
      contents.truths.append(try checked(entry, photo: photo, in: beside))
    }
    let stems = Set(photos.map(stem))
    contents.notes += names.filter { $0.hasSuffix(".json") && !stems.contains(stem($0)) }.map {
      "\($0) has no photo beside it"
    }
    return contents
  }

  /// The files that are pictures by their first bytes, without clean pages.
  private static func photos(_ folder: URL, _ names: [String]) -> [String] {
    names.filter { name in
      guard !name.hasSuffix(cleanSuffix),
        let file = FileHandle(forReadingAtPath: folder.appendingPathComponent(name).path)
      else { return false }
      // A folder, or a file that can't be read, is no photo; one that the truth tells of is reported when it is opened.
      let start = (try? file.read(upToCount: ImageFormat.sniffedBytes)) ?? Data()
      return ImageFormat.sniff(start) != nil
    }
  }

  private static func stem(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  private static func checked(
    _ entry: TruthEntry, photo: String, in file: String
  ) throws(TruthError) -> PhotoTruth {
    do {
      return try entry.truth(of: photo)
    } catch {
      throw .badEntry(file: file, photo: photo, reason: error.reason)
    }
  }

  private static func read<Value: Decodable>(_ folder: URL, _ name: String) throws(TruthError) -> Value {
    do {
      let bytes = try PhotoFile(path: folder.appendingPathComponent(name).path).read()
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw .unreadableFile(name, reason: reasonText(error))
    }
  }
}

/// An error as a lower-case reason.
func reasonText(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  switch error {
  case .typeMismatch(let type, let context): return "\(place(context)) isn't \(name(of: type))"
  case .valueNotFound(let type, let context):
    return "\(place(context)) is null, and has to be \(name(of: type))"
  case .keyNotFound(let key, let context): return "\(place(context)) has no “\(key.stringValue)”"
  case .dataCorrupted(let context):
    return context.codingPath.isEmpty ? "it isn't JSON" : "\(place(context)) can't be read"
  @unknown default: return "it can't be understood"
  }
}

private func place(_ context: DecodingError.Context) -> String {
  if context.codingPath.isEmpty { return "what it holds" }
  return context.codingPath.map { key in
    key.intValue.map { "number \($0 + 1)" } ?? "“\(key.stringValue)”"
  }.joined(separator: ", ")
}

private func name(of type: any Any.Type) -> String {
  switch type {
  case is String.Type: "a text"
  case is Int.Type: "a whole number"
  case is Double.Type: "a number"
  case is [String: Any].Type: "an object"
  default: "a list"
  }
}
