private import Glibc

/// A moment, to the millisecond.
package struct Timestamp: Sendable, Hashable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// The present.
  package static func now() -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000)
  }

  /// The moment that is written as ISO 8601: `2026-11-30T09:32:53Z`, with up to nine digits of a fraction.
  ///
  /// Only UTC, and only years 1 to 9999, which is all that a record may hold.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
      guard bytes[index] == separator.utf8.first else { return nil }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
      hour < 24, minute < 60, second < 61
    else { return nil }
    var fraction = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count <= 30, bytes.count > 21,
        number(20..<bytes.count - 1) != nil
      else { return nil }
      for place in 0..<3 {
        fraction = fraction * 10 + (20 + place < bytes.count - 1 ? Int(bytes[20 + place]) - 48 : 0)
      }
    }
    let days = Self.daysSince1970(year: year, month: month, day: day)
    milliseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction
  }

  /// As in a record: `2026-11-30T09:32:53.123Z`.
  package var iso8601: String {
    let (days, inDay) = Self.floorDivide(milliseconds, 86_400_000)
    let (year, month, day) = Self.date(daysSince1970: days)
    func padded(_ value: Int, _ count: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
      + padded(inDay / 3_600_000, 2) + ":" + padded(inDay / 60_000 % 60, 2) + ":"
      + padded(inDay / 1000 % 60, 2) + "." + padded(inDay % 1000, 3) + "Z"
  }

  // MARK: The Gregorian calendar, by eras of 400 years that begin on the first of March, so that a leap day comes last.

  private static let daysPerEra = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let epochOffset = 719_468

  private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let remainder = (value % divisor + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    return daysSince1970(year: next.0, month: next.1, day: 1)
      - daysSince1970(year: year, month: month, day: 1)
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    // Months from March have 31 30 31 30 31 days over and over: 153 days each five months.
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - epochOffset
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floorDivide(days + epochOffset, daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
