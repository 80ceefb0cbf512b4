import CommandLineKit
import Glibc
import ScanLibrary
import ScanPipeline

/// A scan's title, safe to print.
func titleText(_ scan: ScanRecord) -> String { printable(scan.title) }

extension PhotoFile {
  /// The path as it is shown: safe to print, and in words for the standard input.
  var displayName: String { path == "-" ? "the standard input" : printable(path) }
}

/// A number with its noun: `1 page`, `3 pages`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A moment in local time, to the minute: `2026-11-30 09:32`.
func localText(_ moment: Timestamp) -> String {
  var seconds = time_t(moment.milliseconds / 1000)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return moment.iso8601 }
  func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
  let date = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  return unsafe "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min))"
}

/// A size in units that people use: `812 bytes`, `3.4 MB`.
func sizeText(bytes: Int) -> String {
  let units = ["kB", "MB", "GB", "TB"]
  guard bytes >= 1000 else { return counted(bytes, "byte") }
  var value = Double(bytes) / 1000
  var unit = 0
  while value >= 999.95, unit < units.count - 1 {
    value /= 1000
    unit += 1
  }
  return "\(tenths(value)) \(units[unit])"
}

/// How a page came by its outline, in words.
func foundText(_ origin: PageOrigin) -> String {
  switch origin.found {
  case "detected": origin.confidence.map { "found, \(percent($0)) sure" } ?? "found"
  case "not-found": "no page found: the whole photo"
  case "whole": "the whole photo"
  case "manual": "corners given by hand"
  default: printable(origin.found)
  }
}
