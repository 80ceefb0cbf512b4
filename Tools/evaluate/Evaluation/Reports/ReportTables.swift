/// The figures of a run as tables, of which the text and the page on the web are two looks.
package struct ReportTables: Sendable {
  /// Rows of cells; the first cell of a row names it.
  package struct Table: Sendable {
    package var head: [String]
    package var rows: [[String]]
  }

  /// What was measured.
  package let title: String
  package let groups: Table
  package let reliability: Table
  /// Figures of photos that have no page, of the answers, and of time.
  package let facts: [String]
  /// What was left out or failed.
  package let remarks: [String]

  package init(_ run: DetectionRun) {
    let pages = run.scores(answering: .page)
    let flat = run.scores(answering: .flat)
    let none = run.scores(answering: .none)
    let part = run.part.map { ", those whose name's SHA-256 begins with \($0)" } ?? ""
    title =
      "Photos of \(run.folder)\(part): \(run.scores.count), with a page \(pages.count), flat scans \(flat.count), without a page \(none.count)"
    groups = Table(
      head: [
        "", "photos", "mean", "median", "≥ 0.90", "≥ 0.95", "≥ 0.98", "< 0.5", "missed", "visible", "corners",
      ],
      rows: GroupSummary.groups(of: run.scores).map { group in
        [group.name, "\(group.count)", fixed(group.mean, 3), fixed(group.median, 3)]
          + group.atLeast.map { percent($0, 1) }
          + [
            percent(group.below, 1), "\(group.missed)",
            fixed(group.visibleMean, 3), percent(group.cornerMedian, 2),
          ]
      })
    let answers = Reliability(of: run.scores)
    reliability = Table(
      head: ["confidence", "answers", "mean", "right"],
      rows: answers.bins.indices.compactMap { index in
        guard let bin = answers.bins[index] else { return nil }
        return [
          "\(fixed(Double(index) / 10, 1)) – \(fixed(Double(index + 1) / 10, 1))", "\(bin.count)",
          fixed(bin.meanConfidence, 2), fixed(bin.shareRight, 2),
        ]
      })
    var facts: [String] = []
    if !none.isEmpty {
      let wrong = none.count(where: { !$0.isRight })
      facts.append(
        "no page: a false find in \(wrong) of \(none.count) (\(percent(Double(wrong) / Double(none.count), 1)))"
      )
    }
    if !flat.isEmpty {
      facts.append("flat scans: \(flat.count(where: \.isRight)) of \(flat.count) left whole")
    }
    facts.append(
      "answers given: \(answers.count), calibration error \(fixed(answers.calibrationError, 3)), AUC of right against wrong \(fixed(answers.rightOverWrong, 3))"
    )
    let times = run.scores.map(\.milliseconds)
    facts.append(
      "detection alone, milliseconds of processor time: median \(fixed(median(times), 0)), most \(fixed(times.max(), 0))"
    )
    self.facts = facts
    remarks =
      (run.ambiguous > 0 ? ["left out as ambiguous: \(run.ambiguous)"] : [])
      + run.notes.map { "left out: \($0)" } + run.failures
  }

  /// All of it, for a terminal.
  package var text: String {
    ([title, ""] + Self.lines(groups) + [
      "", "overlap as in docs/detection.md; corners: median error, of the page's diagonal", "",
    ]
      + facts + [""] + Self.lines(reliability) + (remarks.isEmpty ? [] : [""]) + remarks)
      .map { "\($0)\n" }.joined()
  }

  private static func lines(_ table: Table) -> [String] {
    let rows = [table.head] + table.rows
    let widths = table.head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        column == 0 ? row[0].padded(to: widths[0]) : row[column].aligned(to: widths[column])
      }.joined(separator: "  ")
    }
  }
}
