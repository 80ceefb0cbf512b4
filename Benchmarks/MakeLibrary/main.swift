// Makes a library of many scans for measuring: MakeLibrary FOLDER SCANS [mixed] [PASSPHRASE-FILE]
//
// Every scan goes through the library's own code, syncs included, so a folder in memory (/dev/shm) saves minutes; a copy
// of it is a library, too.
import Glibc

let arguments = CommandLine.arguments.dropFirst().filter { $0 != "mixed" }
guard let folder = arguments.first, arguments.count <= 3,
  let scans = arguments.dropFirst().first.flatMap({ Int($0) })
else {
  print("usage: MakeLibrary FOLDER SCANS [mixed] [PASSPHRASE-FILE]")
  exit(2)
}
try makeLibrary(
  at: folder, scans: scans, isMixed: CommandLine.arguments.contains("mixed"),
  passphraseFile: arguments.dropFirst(2).first)
