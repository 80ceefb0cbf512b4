extension PrintSystem {
  /// The sheet that a job with this media will be printed on.
  ///
  /// - Parameter media: what the user asked for; `nil` for what the printer is set to.
  /// - Throws: `.unknownMedia` when the printer describes itself and knows no such thing. CUPS would silently print on
  ///   another paper.
  func sheet(for media: String?, printer: String) throws(PrintError) -> Sheet {
    let choices = MediaChoices(lpoptions: try mediaAnswer(printer))
    let names =
      media.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    for name in names where !choices.contains(name) {
      throw .unknownMedia(name, printer: printer, known: choices.papers)
    }
    let asked = names.lazy.compactMap(Sheet.init(named:)).first
    // Where nothing tells, A4: what is sent is fitted to the real sheet anyway, and only its shape may be a little off.
    return asked ?? choices.standardPaper.flatMap(Sheet.init(named:)) ?? .a4
  }

  /// What the printer can be set to, or nothing where that can't be found out.
  ///
  /// That's so for a queue without a description, a network printer that has none yet, and where there's no `lpoptions`.
  /// Printing does without it.
  private func mediaAnswer(_ printer: String) throws(PrintError) -> String {
    do throws(PrintError) {
      return try ask("lpoptions", ["-p", printer, "-l"])
    } catch {
      switch error {
      case .failed, .programMissing, .timedOut: return ""
      default: throw error
      }
    }
  }
}

/// The papers, trays and kinds of paper a printer has, as `lpoptions -l` lists them.
struct MediaChoices: Sendable, Hashable {
  /// Sizes of paper, in the printer's order.
  private(set) var papers: [String] = []
  /// The paper the printer is set to.
  private(set) var standardPaper: String?
  private var others: Set<String> = []
  private var takesCustomSizes = false

  /// - Parameter answer: lines such as `PageSize/Media Size: A4 *Letter Custom.WIDTHxHEIGHT`.
  init(lpoptions answer: String) {
    for line in answer.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let keyword = line[..<colon].prefix { $0 != "/" }
      let values = line[line.index(after: colon)...].split(separator: " ")
      switch keyword {
      case "PageSize":
        for value in values {
          let name = String(value.drop { $0 == "*" })
          if value.hasPrefix("*") { standardPaper = name }
          if name.hasPrefix("Custom.") { takesCustomSizes = true } else { papers.append(name) }
        }
      case "InputSlot", "MediaType", "ManualFeed":
        others.formUnion(values.map { $0.drop { $0 == "*" }.lowercased() })
      default: continue
      }
    }
  }

  /// Whether the printer knows a name, or has a paper of the size it stands for; yes to everything that could be a name
  /// if nothing is known about the printer.
  func contains(_ name: String) -> Bool {
    // Anything else could smuggle further options into the one that carries it.
    guard !name.isEmpty,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-+".contains($0)) })
    else { return false }
    if papers.isEmpty { return true }
    let lowercased = name.lowercased()
    if others.contains(lowercased) || papers.contains(where: { $0.lowercased() == lowercased }) {
      return true
    }
    if takesCustomSizes, lowercased.hasPrefix("custom"), Sheet(named: name) != nil { return true }
    // IPP's own names for kinds and trays have hyphens where the printer description has none.
    if others.contains(lowercased.filter { $0 != "-" }) { return true }
    guard let sheet = Sheet(named: name) else { return false }
    return papers.compactMap(Sheet.init(named:)).contains { $0.isAlike(sheet) }
  }
}

extension Sheet {
  /// Whether two sizes are those of one paper, to within 5 points (1.8 mm), as PostScript's page device has it.
  func isAlike(_ other: Sheet) -> Bool {
    abs(width - other.width) <= 5 && abs(height - other.height) <= 5
  }
}
