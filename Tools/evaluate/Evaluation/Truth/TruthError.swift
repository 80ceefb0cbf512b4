/// What is wrong with a folder of photos and their truth.
package enum TruthError: Error, Hashable {
  /// The folder can't be listed.
  case unreadableFolder(String, reason: String)
  /// There is neither a truth.json nor a photo with a JSON file beside it.
  case nothingToMeasure(String)
  /// A file with truth can't be read.
  case unreadableFile(String, reason: String)
  /// What a file says of a photo can't be so.
  case badEntry(file: String, photo: String, reason: String)
}

extension TruthError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadableFolder(let path, let reason): "can't read \(path): \(reason)"
    case .nothingToMeasure(let path):
      "there is nothing to measure in \(path): no photo that a truth.json or a NAME.json beside it tells of"
    case .unreadableFile(let file, let reason): "can't read the truth in \(file): \(reason)"
    case .badEntry(let file, let photo, let reason): "the truth of \(photo) in \(file) can't be: \(reason)"
    }
  }
}
