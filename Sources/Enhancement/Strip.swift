/// Memory of fixed size for the kernels, which take pointers.
///
/// A class, so that a pointer stays good as long as the strip is kept: hold on to it with `withExtendedLifetime`.
@safe final class Strip<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int, filledWith value: Element) {
    self.count = count
    unsafe start = .allocate(capacity: max(1, count))
    unsafe start.initialize(repeating: value, count: max(1, count))
  }

  deinit { unsafe start.deallocate() }

  /// - Precondition: `index` is in `0..<count`; it isn't checked.
  subscript(index: Int) -> Element {
    get { unsafe start[index] }
    set { unsafe start[index] = newValue }
  }
}
