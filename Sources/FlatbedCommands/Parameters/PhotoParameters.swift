import CommandLineKit
import Enhancement
import ImageCodecs
import PageDetection
import PerspectiveCorrection
import Raster
import ScanPipeline

/// How photos are read.
enum Reading {
  static let damaged = Option(
    "damaged",
    .choice(of: DamageTolerance.self, "WHAT") { tolerance in
      switch tolerance {
      case .refuse: "say where the picture ends, and leave it"
      case .keep: "take what is there; the rest is white"
      }
    }, help: "What to do with a truncated or damaged picture.", default: .refuse)
  static let maximumPixels = Option(
    "max-pixels", .integer(1_000_000...Int.max, "N"),
    help: "Refuse pictures of more pixels than this.", default: DecodeOptions.defaultMaximumPixels)

  static let all = ParameterGroup("Reading", [damaged, maximumPixels])

  /// What the options say of reading.
  ///
  /// - Parameter photoCount: how many photos are read side by side.
  static func options(_ arguments: ParsedArguments, photoCount: Int) -> DecodeOptions {
    DecodeOptions(
      maximumPixels: arguments[maximumPixels], damage: arguments[damaged], isAlone: photoCount == 1)
  }
}

/// When an outline is taken for a page.
///
/// The names are those of Apple's Vision framework.
enum Detecting {
  private static let defaults = DetectionOptions()

  static let minimumAspect = Option(
    "min-aspect", .number(0...1, "RATIO"), help: "The slimmest page, short side over long side.",
    default: defaults.minimumAspectRatio)
  static let maximumAspect = Option(
    "max-aspect", .number(0...1, "RATIO"), help: "The widest page, short side over long side.",
    default: defaults.maximumAspectRatio)
  static let minimumSize = Option(
    "min-size", .number(0...1, "SHARE"), help: "The smallest page, as a share of the photo's smaller side.",
    default: defaults.minimumSize)
  static let minimumConfidence = Option(
    "min-confidence", .number(0...1, "SHARE"), help: "How sure the detector must be.",
    default: defaults.minimumConfidence)

  static let all = ParameterGroup(
    "Finding the page", [minimumConfidence, minimumSize, minimumAspect, maximumAspect])

  static func options(_ arguments: ParsedArguments) throws(UsageError) -> DetectionOptions {
    var options = DetectionOptions()
    options.minimumAspectRatio = arguments[minimumAspect]
    options.maximumAspectRatio = arguments[maximumAspect]
    options.minimumSize = arguments[minimumSize]
    options.minimumConfidence = arguments[minimumConfidence]
    guard options.minimumAspectRatio <= options.maximumAspectRatio else {
      throw UsageError("--min-aspect is larger than --max-aspect")
    }
    return options
  }
}

/// Where the page is, when the user knows better than the detector.
enum Outline {
  static let corners = Option(
    "corners", quadType,
    help: "The page's four corners, in any order, in pixels of the upright photo.")
  static let whole = Flag("whole", help: "The whole photo is the page; don't look for one.")

  static func choice(_ arguments: ParsedArguments) throws(UsageError) -> PageChoice {
    switch (arguments[corners], arguments[whole]) {
    case (nil, false): return .detect
    case (nil, true): return .whole
    case (let quad?, false): return .corners(quad)
    case (_?, true): throw UsageError("--corners and --whole don't go together")
    }
  }

  private static let point = ValueType<Point>("X,Y") { (text: String) throws(InvalidValue) -> Point in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
      throw InvalidValue("a corner is written as two numbers and a comma, such as 120,80.5")
    }
    guard abs(x) < 1e7, abs(y) < 1e7 else { throw InvalidValue("no photo is that large") }
    return Point(x: x, y: y)
  }

  private static let quadType: ValueType<Quad> = ValueType<[Point]>.several(4, of: point).map {
    (points: [Point]) throws(InvalidValue) in
    guard let quad = Quad(corners: points) else {
      throw InvalidValue("these are not the corners of a page: no four-sided shape without a dent has them")
    }
    return quad
  }
}

/// How the page is read.
enum Turning {
  /// A quarter turn, or a half one, by its name.
  enum Direction: String, CaseIterable {
    case right, left, half

    var turn: QuarterTurn {
      switch self {
      case .right: .clockwise
      case .left: .counterclockwise
      case .half: .half
      }
    }
  }

  static let type = ValueType<Direction>.choice(of: Direction.self, "DIRECTION") { direction in
    switch direction {
    case .right: "a quarter turn clockwise"
    case .left: "a quarter turn counter-clockwise"
    case .half: "upside down"
    }
  }
}

/// What size of paper the page is.
enum Paper {
  /// `auto`, `none`, or the name of a paper.
  static let paper = Option(
    "paper",
    .choice(
      "SIZE",
      [Choice("auto", help: "the paper that fits, if one does"), Choice("none", help: "as measured")]
        + PaperSize.allCases.map { Choice($0.rawValue, help: sizeText($0)) }),
    help: "The paper's size: sets the page's proportions and its resolution.", default: "auto")

  /// A paper's size in millimetres, as in `210 × 297 mm`.
  private static func sizeText(_ paper: PaperSize) -> String {
    "\(tenths(paper.shortSide)) × \(tenths(paper.longSide)) mm"
  }

  static func choice(_ arguments: ParsedArguments) -> PaperChoice {
    switch arguments[paper] {
    case "none": .none
    case let name: PaperSize(rawValue: name).map(PaperChoice.size) ?? .auto
    }
  }
}

/// How a page looks on its way out.
enum Look {
  static let modeType = ValueType<EnhancementMode>.choice(of: EnhancementMode.self, "MODE") { mode in
    switch mode {
    case .original: "the flattened photo, untouched"
    case .enhanced: "even light, white paper, dark ink, colours kept"
    case .bw: "grey with the contrast pushed; faint print survives"
    }
  }
  static let mode = Option("mode", short: "m", modeType, help: "How the page looks.")
  static let newMode = Option(
    "mode", short: "m", modeType,
    help: "How the page looks. Without it $FLATBED_MODE is used, and else enhanced.")
  static let amount = Option(
    "amount", .number(0...10, "N"), help: "How strongly it is enhanced; 0 changes nothing, 1 is usual.")

  /// How new pages look: by the option, else by the environment.
  static func newMode(_ context: CommandContext) throws(UsageError) -> EnhancementMode {
    if let mode = context.arguments[newMode] { return mode }
    guard let name = context.environment["FLATBED_MODE"], !name.isEmpty else { return .enhanced }
    if let mode = EnhancementMode(rawValue: name) { return mode }
    throw UsageError(
      "$FLATBED_MODE is “\(printable(name))”, which is no mode",
      suggestion: "set it to " + EnhancementMode.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or unset it",
      commandPath: context.arguments.commandPath)
  }
}

extension PageOptions {
  /// Everything that decides how a photo becomes a page.
  ///
  /// The command declares `Outline`, `Paper`, `Detecting` and `Reading`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      choice: try Outline.choice(arguments), detection: try Detecting.options(arguments),
      correction: CorrectionOptions(
        paper: Paper.choice(arguments), maximumPixels: arguments[Reading.maximumPixels]))
  }
}
