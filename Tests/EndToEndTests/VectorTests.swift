import Foundation
import ScanLibrary
import TestSupport
import Testing

/// Libraries that Flatbed didn't write, and a reader that isn't Flatbed's.
@Suite("The test vectors, and a second reader")
struct VectorTests {
  let place: Workplace

  init() throws { place = try Workplace(withLibrary: false) }

  private static let vectors = Samples.package.appendingPathComponent("Tests/Vectors").path

  /// A copy of a vector, with the permissions that a checkout doesn't keep.
  private func copy(_ name: String) throws -> String {
    let path = place.path(name)
    try FileManager.default.copyItem(atPath: Self.vectors + "/" + name, toPath: path)
    if !FileManager.default.fileExists(atPath: place.path("pass")) {
      try FileManager.default.copyItem(atPath: Self.vectors + "/passphrase.txt", toPath: place.path("pass"))
      try FileManager.default.copyItem(atPath: Self.vectors + "/recovery.txt", toPath: place.path("recovery"))
    }
    #expect(try place.program.shell("chmod -R go= \(path) pass recovery").status == 0)
    return path
  }

  private func read(_ library: String, _ options: String...) throws -> BuiltProgram.Outcome {
    try place.program.shell(
      "/usr/bin/python3 \(Self.vectors)/read.py \"$@\"", [library] + options)
  }

  @Test(
    "libraries of every version are read as they were made", arguments: ["v1-owner-only", "v2-protected"])
  func good(name: String) throws {
    let library = try copy(name)
    let options = ["--library", library, "--passphrase-file", place.path("pass")]
    let verified = try place.program.run(["verify"] + options)
    #expect(verified.status == 0 && verified.text == "", "\(verified.text)\(verified.errors)")
    let expected = try JSONValue(
      Data(contentsOf: URL(fileURLWithPath: Self.vectors + "/expected.json")))
    let listed = try JSONValue(try place.program.run(["list", "--json"] + options).output).array
    #expect(listed.map { $0["title"].string } == expected["scans"].array.map { $0["title"].string })
    for (scan, wanted) in zip(listed, expected["scans"].array) {
      #expect(
        scan["id"].string == wanted["id"].string && scan["createdAt"].string == wanted["createdAt"].string)
      #expect(scan["photos"][0]["sha256"].string == wanted["files"]["photo-1.png"].string)
    }
    // Old ones can be written to, and stay what they are.
    #expect(try place.program.run(["rotate", "Receipt", "left"] + options).status == 0)
    #expect(try place.program.run(["delete", "Receipt", "--yes"] + options).status == 0)
    #expect(try place.program.run(["trash", "restore", "Receipt"] + options).status == 0)
    #expect(try place.program.run(["verify"] + options).text == "")
  }

  @Test("the recovery key of the vector sets a new passphrase")
  func recovery() throws {
    let library = try copy("v2-protected")
    try place.write("new", Array("something else\n".utf8))
    #expect(try place.program.shell("chmod 600 new").status == 0)
    try place.succeed(
      "library", "recover", "--library", library, "--recovery-file", place.path("recovery"),
      "--new-passphrase-file",
      place.path("new"))
    #expect(try place.run("list", "--library", library, "--passphrase-file", place.path("pass")).status == 9)
    #expect(try place.run("list", "--library", library, "--passphrase-file", place.path("new")).status == 0)
  }

  /// What is done to a copy of the good vector, and what has to be said of it.
  private static let harms: [(script: String, status: Int32, text: String)] = [
    (
      "printf X | dd of=$S/photo-1.png bs=1 seek=500 conv=notrunc", 6,
      "photo-1.png is not what was sealed under this name"
    ),
    (
      "printf X | dd of=$S/page-1-original.png bs=1 seek=70000 conv=notrunc", 6,
      "page-1-original.png was altered or cut off at byte 65536"
    ),
    ("truncate -s -1 $S/photo-1.png", 6, "photo-1.png has"),
    (
      "truncate -s 65593 $S/page-1-original.png", 6,
      "page-1-original.png has 65536 bytes, but its record says"
    ),
    (": > $S/photo-1.png", 6, "photo-1.png is empty"),
    ("rm $S/photo-1.png", 6, "photo-1.png is missing"),
    (
      """
      f=$S/page-1-original.png; (head -c 40 $f; tail -c +65594 $f | head -c 65553; tail -c +41 $f | head -c 65553
      tail -c +131147 $f) > new; mv new $f; chmod 600 $f
      """, 6, "page-1-original.png is not what was sealed under this name"
    ),
    ("cp $T/photo-1.png $S/photo-1.png", 6, "photo-1.png"),
    (
      "mv $T/page-1-original.png x; mv $T/page-2-original.png $T/page-1-original.png; mv x $T/page-2-original.png",
      6, "page-2-original.png is not what was sealed under this name"
    ),
    ("cp $T/record.json $S/record.json", 6, "is damaged: record.json is not what was sealed under this name"),
    ("sed -i 's/268435456/8192/' $L/library.json", 6, "which is outside of what is allowed"),
    ("sed -i 's/268435456/1099511627776/' $L/library.json", 6, "which is outside of what is allowed"),
    ("sed -i 's/\"passes\": 3/\"passes\": 99/' $L/library.json", 6, "which is outside of what is allowed"),
    ("sed -i 's/\"passes\": 3/\"passes\": 4/' $L/library.json", 9, "the passphrase is wrong"),
    ("sed -i 's/1f2e3d4c5b6a/1f2e3d4c5b6b/' $L/library.json", 9, "the passphrase is wrong"),
    (
      "sed -i '/\"state\"/s/[0-9a-f]\"$/x\"/' $L/library.json $L/library.json.copy", 6,
      "the library is damaged: library.json has a \"state\""
    ),
    (
      "sed -i '/\"state\"/s/: \"..../: \"0000/' $L/library.json", 6,
      "the key is not the library's, or library.json was changed"
    ),
    ("sed -i 's/\"passphrase\",$/\"owner-only\",/' $L/library.json", 6, "someone has changed it"),
    ("rm $L/library.json $L/library.json.copy", 6, "library.json is missing"),
  ]

  @Test("broken ones are named")
  func broken() throws {
    let runtime = try TemporaryFolder()
    var program = place.program
    program.environment["XDG_RUNTIME_DIR"] = runtime.path
    let library = try copy("v2-protected")
    let options = ["--library", library, "--passphrase-file", place.path("pass")]
    // Unlocked once: what concerns the way to the key is tried with the passphrase all the same.
    #expect(try program.run(["unlock"] + options).status == 0)
    for (script, status, text) in Self.harms {
      try FileManager.default.removeItem(atPath: library)
      _ = try copy("v2-protected")
      let scan = "/scans/a1b2c3d4-000"
      let tail = "-4000-8000-00000000000"
      let harm = try program.shell(
        "L=\(library); S=$L\(scan)1\(tail)1; T=$L\(scan)2\(tail)2; \(script)")
      #expect(harm.status == 0, "\(harm.errors)")
      let isAboutSlots = text.contains("allowed") || text.contains("passphrase")
      let outcome = try program.run([isAboutSlots ? "unlock" : "verify"] + options)
      #expect(outcome.status == status, "\(script): \(outcome.text)\(outcome.errors)")
      #expect((outcome.text + outcome.errors).contains(text), "\(script): \(outcome.text)\(outcome.errors)")
      // The second reader finds it, too. The recovery key costs it no time, but shows nothing of the passphrase's slot.
      if !isAboutSlots, !script.contains("owner-only") {
        #expect(try read(library, "--recovery-file", place.path("recovery")).status != 0, "\(script)")
      }
    }
  }

  @Test(
    "the second reader reads what the program writes, by passphrase and by recovery key, also from the trash")
  func secondReader() throws {
    _ = try copy("v2-protected")
    try place.succeed(
      "library", "init", "--passphrase-file", place.path("pass"), "--recovery-file", place.path("recovery2"))
    try place.write("a/1.png", try Pictures.photo(1))
    try place.write("a/2.png", try Pictures.png(2))
    let pass = ["--passphrase-file", place.path("pass")]
    for words in [
      ["scan", "--title", "Straße", place.path("a")], ["rotate", "Straße", "left"],
      ["adjust", "Straße", "--pages", "2", "--whole"],
      ["scan", "--again", "--title", "Gone", place.path("a/1.png")], ["delete", "Gone", "--yes"],
      ["pages", "append", "Straße", "--again", place.path("a/1.png")],
    ] {
      let outcome = try place.program.run(words + pass)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    let shown = try JSONValue(try place.program.run(["show", "Straße", "--json"] + pass).output)
    for way in [pass, ["--recovery-file", place.path("recovery2")]] {
      let outcome = try read(place.library, way[0], way[1])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let answer = try JSONValue(outcome.output)
      #expect(answer["scans"].array.map { $0["title"].string } == ["Straße"])
      #expect(answer["trash"].array.map { $0["title"].string } == ["Gone"])
      let files = answer["scans"][0]["files"]
      #expect(files.keys.filter { $0.hasPrefix("page") }.count == 3)
      #expect(files["photo-1.png"].string == shown["photos"][0]["sha256"].string)
    }
    // Rekeyed, and read again.
    try place.succeed(
      "library", "rekey", "--passphrase-file", place.path("pass"), "--recovery-file", place.path("recovery3"))
    #expect(try read(place.library, "--passphrase-file", place.path("pass")).status == 0)
    #expect(try read(place.library, "--recovery-file", place.path("recovery2")).status != 0)
  }
}
