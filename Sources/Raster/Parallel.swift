private import Dispatch
private import Synchronization

/// Works on the pieces of one picture on all processors that have nothing else to do, and returns when all are done.
///
/// What comes out must not depend on the order of the pieces.
/// - Parameter work: gets the number of a piece, from 0. Runs on several threads at once.
package func inParallel(pieces: Int, _ work: @Sendable (Int) -> Void) {
  if pieces <= 1 {
    if pieces == 1 { work(0) }
    return
  }
  DispatchQueue.concurrentPerform(iterations: pieces, execute: work)
}

/// Works on the pieces in the same way, and gives what came out of each, in their order.
package func mapInParallel<Result: Sendable>(pieces: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
  let results = Mutex([Result?](repeating: nil, count: pieces))
  inParallel(pieces: pieces) { piece in
    let result = work(piece)
    results.withLock { $0[piece] = result }
  }
  return results.withLock { $0.compactMap(\.self) }
}

/// Works on elements in the same way, several in a piece, and gives what came out of each, in their order.
package func mapInParallel<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ work: @Sendable (Element) -> Result
) -> [Result] {
  // Enough that no processor waits long for the last one, and few enough that handing them out costs nothing.
  let pieces = min(elements.count, 16)
  return mapInParallel(pieces: pieces) { piece in
    elements[(elements.count * piece / pieces)..<(elements.count * (piece + 1) / pieces)].map(work)
  }.flatMap(\.self)
}

/// An array whose parts, one after the other, are filled in the same way.
///
/// - Parameters:
///   - counts: how many elements each part has.
///   - fill: gets the number of a part and its elements, all of which it must set.
package func arrayInParallel<Element: BitwiseCopyable & Sendable>(
  counts: [Int], _ fill: @Sendable (Int, UnsafeMutableBufferPointer<Element>) -> Void
) -> [Element] {
  let total = counts.reduce(0, +)
  return unsafe [Element](unsafeUninitializedCapacity: total) { elements, filled in
    var parts: [UnsafeMutableBufferPointer<Element>] = unsafe []
    var first = 0
    for count in counts {
      unsafe parts.append(UnsafeMutableBufferPointer(rebasing: elements[first..<first + count]))
      first += count
    }
    // Each thread writes to a part of its own.
    nonisolated(unsafe) let own = unsafe parts
    inParallel(pieces: counts.count) { part in unsafe fill(part, own[part]) }
    filled = total
  }
}

/// Works out two things that don't need each other, at once where a processor has nothing else to do.
package func together<One: Sendable, Other: Sendable>(
  _ one: @Sendable () -> One, _ other: @Sendable () -> Other
) -> (One, Other) {
  let first = Mutex<One?>(nil)
  let second = Mutex<Other?>(nil)
  inParallel(pieces: 2) { piece in
    if piece == 0 {
      let result = one()
      first.withLock { $0 = result }
    } else {
      let result = other()
      second.withLock { $0 = result }
    }
  }
  guard let one = first.withLock(\.self), let other = second.withLock(\.self) else {
    preconditionFailure("all pieces are worked on before they are waited for")
  }
  return (one, other)
}
