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
