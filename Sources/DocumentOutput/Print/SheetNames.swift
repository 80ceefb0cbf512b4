extension Sheet {
  /// The sheet that a name for a paper stands for, or `nil` when the name doesn't tell.
  ///
  /// Understands IPP's self-describing names (`iso_a4_210x297mm`, `na_letter_8.5x11in`), sizes given to CUPS
  /// (`Custom.100x150mm`, in points without a unit), those in printer descriptions (`w288h432` in points, `4x6` in inches)
  /// and the usual short names, in any case, with or without what follows a dot (`A4.Borderless`).
  package init?(named name: String) {
    let lowercased = name.lowercased()
    if let found = Self.selfDescribing(lowercased) ?? Self.custom(lowercased) {
      self = found
      return
    }
    // A variant of the paper follows the last dot, unless that's the point of a number.
    let dot = lowercased.lastIndex(of: ".")
    let isVariant = dot.map { lowercased[$0...].dropFirst().allSatisfy(\.isLetter) } ?? false
    let plain = isVariant ? lowercased[..<(dot ?? lowercased.endIndex)] : lowercased[...]
    if let found = Self.known[String(plain)] ?? Self.points(plain) ?? Self.measure(plain, defaultUnit: "in") {
      self = found
      return
    }
    return nil
  }

  /// `class_name_WxHunit` of PWG 5101.1.
  private static func selfDescribing(_ name: String) -> Sheet? {
    let parts = name.split(separator: "_")
    guard parts.count >= 3, let size = parts.last else { return nil }
    return measure(size, defaultUnit: nil)
  }

  /// CUPS's `Custom.WxHunit`.
  private static func custom(_ name: String) -> Sheet? {
    guard name.hasPrefix("custom.") else { return nil }
    return measure(name.dropFirst("custom.".count), defaultUnit: "pt")
  }

  /// `wWhH`, both in points.
  private static func points(_ name: Substring) -> Sheet? {
    guard name.hasPrefix("w"), let middle = name.firstIndex(of: "h") else { return nil }
    return Sheet(
      name[name.index(after: name.startIndex)..<middle], name[name.index(after: middle)...], unit: "pt")
  }

  private static func measure(_ text: Substring, defaultUnit: String?) -> Sheet? {
    let unit = pointsPerUnit.keys.filter { text.hasSuffix($0) }.max { $0.count < $1.count }
    let numbers = text.dropLast(unit?.count ?? 0).split(separator: "x", omittingEmptySubsequences: false)
    guard numbers.count == 2, let unit = unit ?? defaultUnit else { return nil }
    return Sheet(numbers[0], numbers[1], unit: unit)
  }

  private init?(_ width: Substring, _ height: Substring, unit: String) {
    guard
      let points = Self.pointsPerUnit[unit], let width = Double(width), let height = Double(height),
      Self.sensible.contains(width * points), Self.sensible.contains(height * points)
    else { return nil }
    self.init(width: width * points, height: height * points)
  }

  /// From a postage stamp to the longest page that PDF allows, in points.
  private static let sensible = 36.0...14_400.0

  private static let pointsPerUnit: [String: Double] = [
    "in": pointsPerInch, "pt": 1, "mm": pointsPerMillimetre, "cm": 10 * pointsPerMillimetre,
    "m": 1000 * pointsPerMillimetre, "ft": 12 * pointsPerInch,
  ]

  /// Short names of CUPS and of printer descriptions; sizes by ISO 216, JIS P 0138 and ANSI/ASME Y14.1.
  private static let known: [String: Sheet] = {
    func millimetres(_ width: Double, _ height: Double) -> Sheet {
      Sheet(millimetresWide: width, high: height)
    }
    func inches(_ width: Double, _ height: Double) -> Sheet {
      Sheet(width: width * pointsPerInch, height: height * pointsPerInch)
    }
    return [
      "a0": millimetres(841, 1189), "a1": millimetres(594, 841), "a2": millimetres(420, 594),
      "a3": millimetres(297, 420), "a4": a4, "a4small": a4, "a5": millimetres(148, 210),
      "a6": millimetres(105, 148), "a7": millimetres(74, 105),
      "isob4": millimetres(250, 353), "isob5": millimetres(176, 250), "b4": millimetres(257, 364),
      "b5": millimetres(182, 257), "b6": millimetres(128, 182),
      "envdl": millimetres(110, 220), "envc5": millimetres(162, 229), "envc6": millimetres(114, 162),
      "postcard": millimetres(100, 148),
      "letter": letter, "lettersmall": letter, "legal": inches(8.5, 14), "tabloid": inches(11, 17),
      "ledger": inches(17, 11), "executive": inches(7.25, 10.5), "statement": inches(5.5, 8.5),
      "folio": inches(8.5, 13), "oficio": inches(8.5, 13.4), "env10": inches(4.125, 9.5),
    ]
  }()
}
