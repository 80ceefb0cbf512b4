import CommandLineKit
import FlatbedCommands
import Foundation
import Raster
import TestSupport
import Testing

/// How the program speaks: to people, to scripts, and to whoever stops listening.
@Suite("The feel of the command line")
struct UsageTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let commands = FlatbedProgram.program.tool.allCommands.filter { !$0.1.isHidden }.map(\.0)

  // MARK: Wrong usage

  @Test(
    "wrong usage says what was meant, ends with 2, and does nothing",
    arguments: [
      (["scna", "a.jpg"], "did you mean 'scan'?"), (["import"], "did you mean 'scan'?"), (["scan"], "PHOTO"),
      (["scan", "--seperate", "a.jpg"], "did you mean '--separate'?"),
      (["export", "x", "--mode", "enhancd"], "did you mean 'enhanced'?"),
      (["mode", "x", "black"], "bw"), (["pages", "mvoe"], "did you mean 'move'?"),
      (["rotate", "x", "rihgt"], "did you mean 'right'?"),
      (["scan", "--corners", "1,2", "3,4"], "--corners"),
      (["scan", "a.jpg", "--amount", "11"], "--amount"), (["export", "x", "--pages", "0"], "--pages"),
      (["scan", "a.jpg", "--corners", "0,0", "9,9", "0,9", "9,0", "--whole"], "--whole"),
      (["scan", "a.jpg", "--min-aspect", "0.9", "--max-aspect", "0.1"], "--min-aspect"),
      (["adjust", "x"], "--corners"), (["flatten", "a.jpg"], "--output"), (["generate", "tcsh"], "bash"),
      (["help", "sacn"], "scan"), (["list", "extra"], "extra"), (["--jsno", "list"], "--json"),
    ])
  func wrong(words: [String], said: String) throws {
    try place.removeLibrary()
    let outcome = try place.program.run(words)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.text == "")
    #expect(outcome.errors.hasPrefix("flatbed: error: "))
    #expect(outcome.errors.contains(said), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [])
    let told = try failures(in: place.program.run(["--json"] + words).errors)
    if !words.contains("--jsno") { #expect(told.map { $0["code"].string } == ["usage"]) }
  }

  @Test("arguments that aren't UTF-8 are a fault of usage, not a crash")
  func notUTF8() throws {
    let outcome = try place.program.shell("flatbed scan $'a\\xff.jpg'")
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("flatbed: error: "))
  }

  // MARK: Help

  @Test("every command has help, by 'help' and by '--help', with its usage and examples", arguments: commands)
  func help(path: [String]) throws {
    let one = try place.program.run(["help"] + path)
    let two = try place.program.run(path + ["--help"])
    #expect(one.status == 0 && one.errors == "")
    #expect(one.text == two.text)
    #expect(one.text.contains("flatbed" + path.map { " " + $0 }.joined()))
    #expect(one.lines.allSatisfy { $0.count <= 120 })
  }

  @Test("the version is the one of the sources, and no words at all show the overview")
  func version() throws {
    #expect(try place.succeed("--version").text == "flatbed \(FlatbedProgram.version)\n")
    #expect(try place.program.run([]).text == (try place.succeed("help").text))
  }

  @Test("every command in the README and the docs can be given as it stands there")
  func documented() throws {
    let docs = Samples.package.appendingPathComponent("docs")
    let pages =
      try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
      .map(docs.appendingPathComponent) + [Samples.package.appendingPathComponent("README.md")]
    var count = 0
    for page in pages {
      for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
        for call in calls(in: line) {
          count += 1
          // Named, not called.
          if Self.commands.contains(call) { continue }
          #expect(throws: Never.self, "\(page.lastPathComponent): \(call)") {
            _ = try FlatbedProgram.program.parse(call)
          }
        }
      }
    }
    #expect(count > 15)
  }

  /// The calls in a line of Markdown: a line of a code block, or words between backquotes.
  private func calls(in line: Substring) -> [[String]] {
    var texts: [Substring] = []
    if line.hasPrefix("    flatbed "), !line.contains("▶") {
      texts = [line.dropFirst(4)]
    } else {
      texts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("flatbed ") }.map(\.element)
    }
    return texts.map { text in
      // An ellipsis stands for what the reader puts there: here for corners.
      let words = text.split(separator: " ").prefix { !$0.hasPrefix("#") && !["|", "<", ">"].contains($0) }
      return words.dropFirst().flatMap { word in
        switch word {
        case "…": ["0,0", "9,0", "9,9", "0,9"]
        case "COMMAND": ["scan"]
        default: [word.trimmingCharacters(in: ["'"])]
        }
      }
    }
  }

  // MARK: For scripts

  @Test("every command answers --json with one JSON value and nothing else")
  func json() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let other = try place.write("other.png", try Pictures.png(2))
    let library = ["scan", photo, "--title", "S"]
    for words in [
      library, library, ["list"], ["show", "S"], ["rename", "S", "T"], ["mode", "T", "bw"],
      ["rotate", "T", "left"], ["adjust", "T", "--whole"], ["pages", "append", "T", other],
      ["pages", "move", "T", "2", "--to", "1"], ["pages", "remove", "T", "1", "--yes"], ["export", "T"],
      ["verify"], ["library", "info"], ["library", "backup"], ["library", "backup", "--exclude"],
      ["detect", photo], ["flatten", photo, "-o", "flat.png"], ["generate", "man"], ["delete", "T", "--yes"],
      ["list"],
    ] {
      let outcome = try place.program.run(words + ["--json"])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      #expect(outcome.errors == "", "\(words)")
      #expect(throws: Never.self, "\(words): \(outcome.text)") { _ = try JSONValue(outcome.output) }
    }
  }

  @Test("failures under --json are objects on standard error, with the documented code and status")
  func jsonFailures() throws {
    let photo = try place.write("photo.png", try Pictures.png(1))
    let bad = try place.write("bad.jpg", Array("no".utf8))
    _ = try place.scan("--whole", "--title", "S", photo)
    try place.write("taken.png", [1])
    let cases: [([String], String, Int32)] = [
      (["scan", "nowhere.jpg"], "input.missing", 3), (["scan", bad], "image.not-recognised", 3),
      (["detect", "/dev/null"], "input.unreadable", 3),
      (["flatten", place.folder.path, "-o", "x.png"], "input.unreadable", 3),
      (["flatten", photo, "--frame", "2", "-o", "x.png"], "image.several-pages", 3),
      (["flatten", photo, "-o", "taken.png"], "output.exists", 5),
      (["flatten", photo, "-o", "no/x.png"], "output.not-writable", 5),
      (["flatten", photo, "-o", "x.png", "--corners", "0,0", "9e5,0", "9e5,1", "0,1"], "page.corners", 3),
      (["show", "nothing"], "scan.not-found", 6), (["rotate", "S", "left", "--pages", "2"], "scan.pages", 6),
      (["list", "--library", "nowhere"], "library.unusable", 6),
      (["adjust", "S", "--corners", "0,0", "9e5,0", "9e5,1", "0,1"], "page.corners", 3),
    ]
    for (words, code, status) in cases {
      let outcome = try place.program.run(words + ["--json"])
      #expect(outcome.status == status, "\(words): \(outcome.errors)")
      let told = try failures(in: outcome.errors)
      #expect(told.map { $0["code"].string } == [code], "\(words): \(outcome.errors)")
      #expect(
        told.first.map(\.keys) == ["code", "hints", "message", "subject"] || code.hasPrefix("scan"),
        "\(outcome.errors)")
      if !outcome.output.isEmpty {
        #expect(throws: Never.self, "\(words)") { _ = try JSONValue(outcome.output) }
      }
    }
  }

  @Test("--quiet leaves results and failures, and takes notes away")
  func quiet() throws {
    let table = try place.write("table.png", try Pictures.emptyTable())
    let bad = try place.write("bad.jpg", [1, 2, 3])
    let outcome = try place.run("scan", "--quiet", table, bad)
    #expect(outcome.status == 1)
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.errors.split(separator: "\n").allSatisfy { $0.contains("bad.jpg") || $0.contains("hint") },
      "\(outcome.errors)")
    #expect(try place.succeed("scan", "-q", table).errors == "")
  }

  // MARK: Whoever reads

  @Test(
    "when nobody reads any more the program ends quietly",
    arguments: ["generate bash", "list", "help scan", "export S -o -", "show S --json"])
  func closedPipe(words: String) throws {
    let photo = try place.write("photo.png", try Pictures.png(1))
    _ = try place.scan("--whole", "--title", "S", photo)
    // The reader is gone before a byte is written.
    let outcome = try place.program.shell(
      "mkfifo p; true < p & exec 3> p; wait; flatbed \(words) >&3; echo status $? >&2")
    #expect(outcome.errors == "status 0\n")
  }

  @Test(
    "a standard output that is full is an error with status 5",
    arguments: [
      "generate bash", "list", "help scan", "--version", "export S -o -", "show S --json",
      "scan --again photo.png",
    ])
  func fullOutput(words: String) throws {
    let photo = try place.write("photo.png", try Pictures.png(1))
    _ = try place.scan("--whole", "--title", "S", photo)
    let device = try place.program.shell("flatbed flatten photo.png -o /dev/full")
    #expect(device.status == 5)
    #expect(device.errors.contains("can't write /dev/full: no space left on device"), "\(device.errors)")
    let outcome = try place.program.shell("flatbed \(words) > /dev/full")
    #expect(outcome.status == 5)
    #expect(
      outcome.errors.contains("can't write to the standard output: no space left on device"),
      "\(outcome.errors)")
    try place.expectSound()
  }

  @Test(
    "streams that are closed never lead into files of the library, and a result that can't be told is an error"
  )
  func closedStreams() throws {
    try place.write("photo.png", try Pictures.png(1))
    try place.write("bad.jpg", [1, 2, 3])
    let closedOutput = try place.program.shell("flatbed scan --whole --title S photo.png >&-")
    #expect(closedOutput.status == 5)
    #expect(
      closedOutput.errors.contains("can't write to the standard output: bad file descriptor"),
      "\(closedOutput.errors)")
    let closedErrors = try place.program.shell("flatbed scan --again --whole bad.jpg photo.png 2>&-")
    #expect(closedErrors.status == 1 && closedErrors.lines.count == 1 && closedErrors.errors == "")
    let closedInput = try place.program.shell("flatbed scan - <&-")
    #expect(closedInput.status == 3)
    #expect(closedInput.errors.contains("can't read the standard input: bad file descriptor"))
    #expect(try place.program.shell("flatbed list <&- >&- 2>&-").status == 5)
    #expect(try place.program.shell("flatbed export S -o out <&- 2>&-").status == 0)
    #expect(try decoded(try place.read("out/S.png")).size == Pictures.size)
    try place.expectSound()
  }

  // MARK: Privacy

  @Test("scanning, exporting and looking open no connection to any network")
  func noNetwork() throws {
    try place.write("photo.png", try Pictures.photo())
    for words in ["scan --title S photo.png", "export S -o out", "list", "verify", "detect photo.png"] {
      let outcome = try place.program.shell(
        "strace -f -qq -e trace=network -o trace flatbed \(words) && cat trace")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.text.contains("AF_INET"), "\(outcome.text)")
    }
    // The same way of looking does see a connection.
    let seen = try place.program.shell(
      "strace -f -qq -e trace=network -o trace bash -c 'exec 3<> /dev/udp/127.0.0.1/9'; cat trace")
    #expect(seen.text.contains("AF_INET"), "\(seen.errors)")
  }

  // MARK: What make install puts in place

  @Test(
    "completions and the man page are in their languages, and name every command",
    arguments: [
      ("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish -n"), ("man", "groff -man -ww -z -Kutf8"),
      ("reference", "cat > /dev/null"),
    ])
  func generated(product: String, check: String) throws {
    let text = try place.succeed("generate", product).text
    try place.write("generated", Array(text.utf8))
    let outcome = try place.program.shell("\(check) generated")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    for path in Self.commands {
      // The language of man pages writes hyphens with a backslash.
      let plain = text.replacing("\\-", with: "-")
      for word in path { #expect(plain.contains(word), "\(word) isn't there") }
    }
  }
}
