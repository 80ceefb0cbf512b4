/// A change that the page asks for.
struct ReviewEdit: Decodable {
  enum Action: String, Decodable {
    /// Other corners, the whole photo, what the detector finds, or another paper.
    case corners, whole, detect, paper
    /// The page as it was made and looked at an earlier time.
    case restore
    /// A turn by quarters, and the mode of a page or of all.
    case turn, mode
    /// The modes of a scan and its pages as they were.
    case looks
    case title, order, remove
    /// A removed page comes back.
    case putBack
  }

  /// What the page looked like to who asks.
  struct Look: Decodable {
    let turn: Int
    let mode: String?
    let amount: Double?
  }

  let action: Action
  let scan: String
  /// The page's number; of `putBack` the number it had.
  let page: Int?
  let seen: Look?

  let corners: [[Double]]?
  let paper: String?
  /// Quarter turns clockwise: by which to turn, or with `corners` what is to be added since another corner comes first.
  let turn: Int?
  let mode: String?
  let amount: Double?
  /// Whether a mode is for the whole scan.
  let all: Bool?

  /// `restore`: the number the page had then.
  let of: Int?
  /// `restore`: the look it had then.
  let look: Look?
  /// `looks`: by the pages' numbers.
  let looks: [String: Look]?

  let title: String?
  let seenTitle: String?
  /// All pages' numbers.
  let order: [Int]?
  let seenOrder: [Int]?
  /// `putBack`: the place, from 0.
  let place: Int?
  let seenMode: String?
}

/// The answer to a change.
struct EditAnswer: Encodable {
  let scan: ScanState
  /// The number that the page has now.
  let page: Int?
  /// Something worth knowing, such as that no page was found.
  var note: String?
}
