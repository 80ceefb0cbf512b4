/// How a page looks when it leaves the library.
package enum EnhancementMode: String, Sendable, CaseIterable {
  /// The flattened pixels as they are.
  case original
  /// White paper, dark ink, true colours.
  case enhanced
  /// Grey with the contrast pushed, never a threshold: faint print stays.
  case bw
}

/// Counts the changes of `enhance` that alter its pixels; the same version gives the same pixels.
package let enhancementAlgorithmVersion = 5

/// The amounts that `enhance` knows: 0 leaves the page as it is, 1 is the default, 10 the most.
package let enhancementAmounts: ClosedRange<Double> = 0...10
