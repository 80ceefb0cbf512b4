import Foundation
import Glibc
import TestSupport

/// What was waited for did not happen in time.
struct TimeOut: Error, CustomStringConvertible {
  let description: String
}

/// Looks again and again until something holds; the limit is for a machine that is very busy.
func wait(for what: String, within limit: Duration = .seconds(60), until holds: () throws -> Bool) throws {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while !(try holds()) {
    guard clock.now < deadline else {
      throw TimeOut(description: "\(what) did not come about within \(limit)")
    }
    var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    unsafe nanosleep(&pause, nil)
  }
}

/// What stands before a command so that root too is bound by permissions; nothing for other users, who are anyway.
let withoutPrivileges =
  geteuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : ""
