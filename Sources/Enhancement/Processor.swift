private import CEnhanceKernels

/// What the processor can do, as far as the kernels know.
///
/// It changes the speed, never the result.
package enum Processor: Sendable {
  /// Whatever runs the program.
  case any
  /// Vectors of 32 bytes: AVX2.
  case wide

  /// The one that this program runs on.
  package static let current: Processor = flatbed_has_wide() ? .wide : .any

  var isWide: Bool { self == .wide }
}
