import Foundation
import LibraryKeys
import ScanLibrary

/// Argon2id as cheap as libsodium allows: only in tests.
let cheapCost = PassphraseCost(memory: 8192, passes: 1)
let cheapLimits = PassphraseLimits(memory: 8192...2 << 30, passes: 1...16)

func passphrase(_ text: String = "correct horse") throws(KeyError) -> Passphrase {
  var bytes = Array(text.utf8)
  return try Passphrase(taking: &bytes)
}

extension NewKeys {
  /// Keys that cost nothing to open.
  static func cheap(_ id: ScanID = ScanID(), passphrase text: String = "correct horse") throws(KeyError)
    -> NewKeys
  {
    try NewKeys(id: id, passphrase: try passphrase(text), recovery: nil, cost: cheapCost)
  }
}

extension Library {
  /// Makes a sealed library.
  static func makeSealed(at path: String, _ keys: NewKeys? = nil) throws -> Library {
    let keys = try keys ?? NewKeys.cheap()
    return try openOrCreate(at: path, making: .passphrase(keys))
  }
}

/// How the library of a test is protected.
enum Shelf: String, CaseIterable, Sendable {
  case open, sealed
}

/// Every file in a folder and below, by its path in it, with its bytes.
func files(in path: String) throws -> [String: Data] {
  var files: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
    let url = URL(fileURLWithPath: path + "/" + name)
    if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      files[name] = try Data(contentsOf: url)
    }
  }
  return files
}
