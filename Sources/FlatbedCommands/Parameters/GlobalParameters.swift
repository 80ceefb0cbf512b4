import CommandLineKit

/// What every command takes.
enum Global {
  static let library = Option(
    "library", .folder,
    help:
      "The library's folder. Without it $FLATBED_LIBRARY is used, and else the data folder of your account.")
  static let passphraseFile = Option(
    "passphrase-file", .file,
    help: "A file that only you can read, with the library's passphrase in its first line.")
  static let json = Flag("json", help: "Print results, and failures, as JSON.")
  static let quiet = Flag(
    "quiet", short: "q", help: "No notes and no progress; results, warnings and failures only.")

  static let all: [any Parameter] = [library, passphraseFile, json, quiet]
}
