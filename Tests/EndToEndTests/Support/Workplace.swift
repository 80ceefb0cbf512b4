import Foundation
import ImageCodecs
import Raster
import ScanLibrary
import TestSupport
import Testing

/// A folder with a library in it, and the program that works on it.
struct Workplace {
  let folder: TemporaryFolder
  let program: BuiltProgram

  /// A place with an empty owner-only library, as most tests want it, or without one.
  init(environment: [String: String] = [:], withLibrary: Bool = true) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    if withLibrary {
      _ = try Library.openOrCreate(at: folder.path("library"))
      // The program's first sign of life is this file.
      try FileManager.default.removeItem(atPath: folder.path("library/lock"))
    }
    program = BuiltProgram(
      environment: ["FLATBED_LIBRARY": folder.path("library")].merging(environment) { $1 },
      workingFolder: folder.url)
  }

  /// Takes the library away again, for tests in which there is none.
  func removeLibrary() throws { try FileManager.default.removeItem(atPath: library) }

  var library: String { folder.path("library") }

  // MARK: Running

  /// Runs the program, whatever comes of it.
  func run(_ arguments: String..., input: Data = Data()) throws -> BuiltProgram.Outcome {
    try program.run(arguments, input: input)
  }

  /// Runs the program, which has to succeed, and gives what it printed as results.
  @discardableResult
  func succeed(
    _ arguments: String..., input: Data = Data(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProgram.Outcome {
    let outcome = try program.run(arguments, input: input)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs the program with `--json`, which has to succeed, and gives its answer.
  func answer(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let outcome = try program.run(arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
    return try JSONValue(outcome.output)
  }

  /// Scans something that makes one scan, and gives the start of its id.
  func scan(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let outcome = try program.run(["scan"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.lines.count == 1, "\(outcome.text)", sourceLocation: sourceLocation)
    return try #require(outcome.text.split(separator: " ").first.map(String.init))
  }

  /// A page as it is exported, pixel by pixel.
  func exported(_ scan: String, _ options: String...) throws -> Raster {
    let outcome = try program.run(["export", scan, "-o", "-"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try ImageSource(bytes: Array(outcome.output)).decode().raster
  }

  // MARK: The library

  /// The titles of all scans, oldest first.
  func titles() throws -> [String] { try answer("list").array.map { $0["title"].string } }

  /// Everything in the library is what was stored, nothing is left over.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try program.run(["verify"])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.text == "", sourceLocation: sourceLocation)
  }

  /// What is in the staging folder: scans that are being written, or what a crash left of them.
  func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library + "/staging")
  }

  /// The names of all files of the library, as paths in it, with a hash of each one's bytes.
  func libraryFiles() throws -> [String: ContentHash] {
    var files: [String: ContentHash] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: library) {
      let attributes = try FileManager.default.attributesOfItem(atPath: library + "/" + name)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = ContentHash(of: try read("library/" + name))
    }
    return files
  }

  // MARK: Files

  /// Writes a file, with the folders above it, and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder.path(name) }
}

/// JSON that a test walks through; what isn't there is null.
struct JSONValue {
  private let value: Any?

  init(_ data: Data) throws { value = try JSONSerialization.jsonObject(with: data) }

  private init(value: Any?) { self.value = value is NSNull ? nil : value }

  subscript(key: String) -> JSONValue { JSONValue(value: (value as? [String: Any])?[key]) }
  subscript(index: Int) -> JSONValue {
    let items = value as? [Any] ?? []
    return JSONValue(value: items.indices.contains(index) ? items[index] : nil)
  }

  var array: [JSONValue] { (value as? [Any] ?? []).map(JSONValue.init(value:)) }
  var keys: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }
  var string: String { value as? String ?? "(no text)" }
  var strings: [String] { array.map(\.string) }
  var int: Int? { value as? Int }
  var double: Double? { value as? Double }
  var bool: Bool? { value as? Bool }
  var isNull: Bool { value == nil }
}

/// JSON objects that follow each other, as failures do on standard error.
func failures(in text: String) throws -> [JSONValue] {
  try text.components(separatedBy: "\n}").filter { !$0.allSatisfy(\.isWhitespace) }
    .map { try JSONValue(Data(($0 + "\n}").utf8))["error"] }
}
