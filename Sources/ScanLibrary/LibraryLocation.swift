/// Where the library is when the user doesn't say: `$FLATBED_LIBRARY`, else `$XDG_DATA_HOME/flatbed`, else
/// `~/.local/share/flatbed`.
///
/// A relative `XDG_DATA_HOME` is passed over, as the XDG base directory specification demands. Empty variables count as
/// unset.
/// - Throws: `LibraryError.noPlace` when the environment names no home either.
package func defaultLibraryPath(environment: [String: String]) throws(LibraryError) -> String {
  func value(_ name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }
  if let path = value("FLATBED_LIBRARY") { return path }
  if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return joined(data, "flatbed") }
  if let home = value("HOME") { return joined(home, ".local/share/flatbed") }
  throw .noPlace
}

private func joined(_ folder: String, _ name: String) -> String {
  folder.hasSuffix("/") ? folder + name : folder + "/" + name
}
