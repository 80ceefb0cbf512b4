import Foundation
import Raster
import ScanLibrary
import TestSupport
import Testing

/// Real damage of each kind, and what `verify --repair` makes of it, in an open library and in a protected one.
@Suite("verify --repair")
struct RepairTests {
  let place: Workplace
  private let runtime: TemporaryFolder

  init() throws {
    let runtime = try TemporaryFolder()
    self.runtime = runtime
    place = try Workplace(environment: ["XDG_RUNTIME_DIR": runtime.path], withLibrary: false)
  }

  /// A library with an album of three photos, the second one turned, and a card; gives the folders of both.
  private func makeLibrary(_ protection: String) throws -> (album: String, card: String) {
    try place.write("pass", Array("violet anchors 12\n".utf8))
    for number in 1...3 { try place.write("Album/\(number).png", try Pictures.photo(number)) }
    try place.write("Card.png", try Pictures.png(9))
    let made = try place.program.shell(
      """
      chmod 600 pass; export FLATBED_PASSPHRASE_FILE=pass
      flatbed library init --protection \(protection) && flatbed unlock && flatbed scan --mode original Album &&
      flatbed scan --whole --mode original Card.png && flatbed rotate Album left --pages 2 && cp -a library template
      """)
    #expect(made.status == 0, "\(made.errors)")
    func folder(_ title: String) throws -> String {
      place.library + "/scans/" + (try place.answer("show", title)["id"].string)
    }
    return (try folder("Album"), try folder("Card"))
  }

  /// What is done to a library, and what has to come of it.
  ///
  /// In scripts `$A` is the album's folder, `$C` the card's.
  private struct Harm: Sendable {
    var script: String
    /// What the repair says, a line each: `repair` or `lost`, the file, and how its sentence goes on.
    var lines: [String]
    var titles = ["Album", "Card"]
    /// How many pages the first scan has then.
    var pages = 3
    /// Without a record nothing tells in an open library that a photo isn't what it was.
    var isFoundInOpen = true
    /// Names in `aside/*/`.
    var aside: [String] = []

    var isLoss: Bool { lines.contains { $0.hasPrefix("lost: ") } }
  }

  private static let again = "was made again from its photo"
  private static let newRecord = "was made again from the scan's files, without its title, corners and turns"
  private static let putAside = "can't be made again, and is put aside"
  private static func flip(_ name: String) -> String {
    "printf REPLACED | dd of=\(name) bs=1 seek=100 conv=notrunc status=none"
  }

  private static let harms = [
    Harm(script: "rm $A/page-2-original.png", lines: ["repair: $A/page-2-original.png \(again)"]),
    Harm(
      script: flip("$A/page-2-original.png"), lines: ["repair: $A/page-2-original.png \(again)"],
      aside: ["page-2-original.png"]),
    Harm(
      script: ": > $A/page-1-original.png; truncate -s -9 $A/page-3-original.png",
      lines: [1, 3].map { "repair: $A/page-\($0)-original.png \(again)" },
      aside: ["page-1-original.png", "page-3-original.png"]),
    Harm(
      script: "cp $C/page-1-original.png $A/page-2-original.png",
      lines: ["repair: $A/page-2-original.png \(again)"], aside: ["page-2-original.png"]),
    Harm(
      script: "rm $A/record.json", lines: ["repair: $A/record.json \(newRecord)"],
      titles: ["Recovered", "Card"]),
    Harm(
      script: flip("$A/record.json"), lines: ["repair: $A/record.json \(newRecord)"],
      titles: ["Recovered", "Card"],
      aside: ["record.json"]),
    Harm(
      script: "cp $C/record.json $A/record.json", lines: ["repair: $A/record.json \(newRecord)"],
      titles: ["Recovered", "Card"], aside: ["record.json"]),
    Harm(
      script: flip("$A/photo-2.png"), lines: ["lost: $A/photo-2.png \(putAside)"], aside: ["photo-2.png"]),
    Harm(script: "rm $A/photo-2.png", lines: ["lost: $A/photo-2.png \(putAside)"]),
    Harm(
      script: "cp $C/photo-1.png $A/photo-1.png", lines: ["lost: $A/photo-1.png \(putAside)"],
      aside: ["photo-1.png"]),
    Harm(
      script: flip("$A/photo-2.png") + "; " + flip("$A/page-2-original.png"),
      lines: ["photo-2.png", "page-2-original.png"].map { "lost: $A/\($0) \(putAside)" }, pages: 2,
      aside: ["page-2-original.png", "photo-2.png"]),
    // Without a record, a photo that is damaged is put aside all the same, and never swept away by a later change.
    Harm(
      script: "rm $A/record.json; " + flip("$A/photo-2.png"),
      lines: ["repair: $A/record.json \(newRecord)", "lost: $A/photo-2.png \(putAside)"],
      titles: ["Recovered", "Card"],
      isFoundInOpen: false, aside: ["photo-2.png"]),
    // Its photo makes a page in the place of the one that is damaged.
    Harm(
      script: "rm $A/record.json; " + flip("$A/page-2-original.png"),
      lines: ["repair: $A/record.json \(newRecord)", "lost: $A/page-2-original.png \(putAside)"],
      titles: ["Recovered", "Card"], aside: ["page-2-original.png"]),
    Harm(
      script: "rm $A/record.json $A/photo-*", lines: ["repair: $A/record.json \(newRecord)"],
      titles: ["Recovered", "Card"]),
    Harm(
      script: "rm $A/record.json $A/page-*", lines: ["repair: $A/record.json \(newRecord)"],
      titles: ["Recovered", "Card"]),
    Harm(
      script: "rm $A/*", lines: ["lost: $A has nothing that a scan could be made of, and is put aside"],
      titles: ["Card"], pages: 1),
    Harm(
      script: "rm $C/photo-1.png; " + flip("$C/page-1-original.png"),
      lines: [
        "lost: $C/photo-1.png \(putAside)", "lost: $C has no page left that can be read, and is put aside",
      ], titles: ["Album"], aside: ["page-1-original.png", "record.json"]),
  ]

  /// Every photo and page in the library, good or bad, by its bytes.
  private func contents() throws -> Set<ContentHash> {
    Set(try place.libraryFiles().filter { $0.key.contains("/photo-") || $0.key.contains("/page-") }.values)
  }

  @Test(
    "makes again what can be made again, puts the rest aside and deletes nothing",
    arguments: ["owner-only", "passphrase"])
  func everyKind(protection: String) throws {
    let (album, card) = try makeLibrary(protection)
    let before = try (1...3).map { try place.exported("Album", "--pages", "\($0)") }
    for harm in Self.harms where harm.isFoundInOpen || protection == "passphrase" {
      let comment = Comment(rawValue: harm.script)
      let harmed = try place.program.shell(
        "rm -rf library && cp -a template library && A=$1 && C=$2 && { \(harm.script); }", [album, card])
      #expect(harmed.status == 0, "\(harmed.errors)")
      let found = try place.run("verify")
      #expect(found.status == 6 && found.text.contains("damage: "), comment)
      let contents = try contents()

      let repaired = try place.run("verify", "--repair")
      let lines = harm.lines.map { line in
        line.replacing("$A", with: "scans/" + (album as NSString).lastPathComponent)
          .replacing("$C", with: "scans/" + (card as NSString).lastPathComponent)
      }
      #expect(repaired.lines == lines, comment)
      #expect(repaired.status == (harm.isLoss ? 6 : 0), comment)
      #expect(repaired.errors.contains("/aside; a backup may have it whole") == harm.isLoss, comment)
      #expect(try contents.isSubset(of: self.contents()), comment)
      let aside = try FileManager.default.subpathsOfDirectory(atPath: place.library).filter {
        $0.hasPrefix("aside/") && $0.split(separator: "/").count == 3
      }
      #expect(aside.map { ($0 as NSString).lastPathComponent }.sorted() == harm.aside, comment)

      // It is sound then, also after the next change, and what is left comes out as it did before.
      try place.expectSound()
      #expect(try place.titles() == harm.titles, comment)
      #expect(try place.answer("list").array.first?["pageCount"].int == harm.pages, comment)
      try place.succeed("rename", harm.titles[0], "Renamed")
      try place.expectSound()
      #expect(try contents.isSubset(of: self.contents()), comment)
      if harm.pages == 3 {
        let isRebuilt = harm.titles[0] == "Recovered"
        for number in 1...3 where !(isRebuilt && harm.script.contains("page-")) {
          let turned = isRebuilt && number == 2 ? before[1].turned(.clockwise) : before[number - 1]
          #expect(
            try place.exported("Renamed", "--mode", "original", "--pages", "\(number)") == turned, comment)
        }
      }
    }
  }

  @Test("a page whose photo is lost stays, and can't be adjusted")
  func lostPhoto() throws {
    let (album, _) = try makeLibrary("owner-only")
    try FileManager.default.removeItem(atPath: album + "/photo-2.png")
    #expect(try place.run("verify", "--repair").status == 6)
    let adjusted = try place.run("adjust", "Album", "--pages", "2", "--whole")
    #expect(adjusted.status == 6 && adjusted.errors.contains("no photo"), "\(adjusted.errors)")
    try place.succeed("adjust", "Album", "--pages", "3", "--whole")
    try place.succeed("pages", "remove", "Album", "2", "--yes")
    try place.expectSound()
    #expect(try place.answer("show", "Album")["photos"].array.count == 2)
  }

  @Test(
    "library.json and its copy are made again from each other, which is told",
    arguments: ["library.json", "library.json.copy"])
  func header(name: String) throws {
    _ = try makeLibrary("passphrase")
    for harm in ["rm library/\(name)", Self.flip("library/\(name)")] {
      #expect(try place.program.shell(harm).status == 0)
      let repaired = try place.succeed("verify", "--repair")
      #expect(repaired.lines == ["repair: \(name) was made again from its twin"])
      #expect(try place.succeed("verify", "--repair").lines == [])
      try place.expectSound()
    }
    let folder = place.library
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder + "/library.json", andPath: folder + "/library.json.copy"))
  }

  @Test("a page that was to have no paper gets none")
  func noPaper() throws {
    try place.write("Note.png", try Pictures.photo(1))
    try place.succeed("library", "init", "--protection", "owner-only")
    try place.succeed("scan", "--paper", "none", "--mode", "original", "Note.png")
    let before = try place.exported("Note")
    let id = try place.answer("show", "Note")["id"].string
    try FileManager.default.removeItem(atPath: place.library + "/scans/\(id)/page-1-original.png")
    try place.succeed("verify", "--repair")
    #expect(try place.exported("Note") == before)
    // A paper would have made another page of it.
    try place.succeed("scan", "--again", "--mode", "original", "--title", "On paper", "Note.png")
    #expect(try place.exported("On paper") != before)
  }

  @Test("damage in the trash is told of, with what to do, and repaired once it is restored")
  func trash() throws {
    let (album, _) = try makeLibrary("passphrase")
    try FileManager.default.removeItem(atPath: album + "/page-1-original.png")
    try place.succeed("delete", "Album", "--yes")
    for words in [["verify"], ["verify", "--repair"]] {
      let outcome = try place.program.run(words)
      #expect(outcome.status == 6)
      #expect(outcome.lines.count == 1 && outcome.text.hasPrefix("damage: trash/"))
      #expect(
        outcome.errors.contains("'flatbed trash restore'") && outcome.errors.contains("'flatbed trash empty'")
      )
    }
    try place.succeed("trash", "restore", "Album")
    #expect(try place.run("verify", "--repair").status == 0)
    try place.expectSound()
    // Its record damaged, the list of the trash tells why there is no title.
    #expect(try place.program.shell(Self.flip(album + "/record.json")).status == 0)
    let id = (album as NSString).lastPathComponent
    try place.succeed("delete", id, "--yes")
    let row = try place.answer("trash", "list")[0]
    #expect(row["id"].string == id && row["title"].isNull && row["pageCount"].isNull)
    let reason = "scan \(id.prefix(8)) is damaged: record.json is not what was sealed under this name"
    #expect(row["damage"].string.hasPrefix(reason), "\(row["damage"].string)")
    #expect(try place.succeed("trash", "list").text.contains("is damaged"))
    try place.succeed("trash", "empty", "--yes")
    try place.expectSound()
  }

  @Test("what was done is told in JSON, too")
  func json() throws {
    let (album, _) = try makeLibrary("owner-only")
    let id = (album as NSString).lastPathComponent
    for name in ["photo-1.png", "page-3-original.png"] {
      try FileManager.default.removeItem(atPath: album + "/" + name)
    }
    let outcome = try place.run("verify", "--repair", "--json")
    #expect(outcome.status == 6)
    let answer = try JSONValue(outcome.output)
    #expect(answer["sound"].bool == true && answer["findings"].array.isEmpty)
    let repairs = answer["repairs"].array
    #expect(repairs.map { $0["gravity"].string } == ["lost", "repair"])
    #expect(
      repairs.map { $0["file"].string } == ["scans/\(id)/photo-1.png", "scans/\(id)/page-3-original.png"])
    #expect(repairs.allSatisfy { $0["scan"].string == id })
  }
}
