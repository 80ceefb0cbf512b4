import Raster

/// A page to look at in any browser, without scripts and network: the figures, and every photo with its outlines, worst first.
///
/// - Parameter pictures: the path from the page to a photo's small copy, by the photo's file name.
package func htmlReport(_ run: DetectionRun, pictures: (String) -> String) -> String {
  let tables = ReportTables(run)
  return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pages found in \(escaped(run.folder))</title>
    <style>
    \(reportStyle)
    </style>
    </head>
    <body>
    <h1>Pages found</h1>
    <p>\(escaped(tables.title)).</p>
    \(htmlTable(tables.groups))
    <ul>
    \(tables.facts.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n"))
    </ul>
    \(htmlTable(tables.reliability))
    \(tables.remarks.isEmpty ? "" : "<ul>\(tables.remarks.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n"))</ul>")
    <h2>Every photo, worst first</h2>
    <p><span class="key true"></span> the truth <span class="key found"></span> the answer</p>
    <div class="photos">
    \(run.worstFirst.map { card($0, picture: pictures($0.truth.file)) }.joined(separator: "\n"))
    </div>
    </body>
    </html>

    """
}

private func card(_ score: PhotoScore, picture: String) -> String {
  let (width, height) = (score.size.width, score.size.height)
  var shapes = score.truth.outlines.map { polygon($0, class: "true") }
  if let found = score.found { shapes.append(polygon(found, class: "found")) }
  var figures: [String] = []
  if score.truth.answer == .page, score.found != nil { figures.append("overlap \(fixed(score.overlap, 3))") }
  if let error = score.outline?.cornerError { figures.append("corners \(percent(error, 2))") }
  if let confidence = score.confidence { figures.append("confidence \(fixed(confidence, 2))") }
  figures += score.reasons
  let kind = ([score.truth.kind] + score.truth.tags.map { "#\($0)" }).joined(separator: " ")
  return """
    <figure>
    <div class="view"><img src="\(escaped(picture))" alt="" loading="lazy" width="\(width)" height="\(height)">\
    <svg viewBox="0 0 \(width) \(height)" preserveAspectRatio="none">\(shapes.joined())</svg></div>
    <figcaption><b class="\(score.isRight ? "good" : "bad")">\(escaped(score.verdict))</b> \(escaped(figures.joined(separator: ", ")))<br>
    \(escaped(score.truth.file))<br><small>\(escaped(kind))</small></figcaption>
    </figure>
    """
}

private func polygon(_ quad: Quad, class name: String) -> String {
  let points = quad.corners.map { "\(fixed($0.x, 1)),\(fixed($0.y, 1))" }.joined(separator: " ")
  return #"<polygon class="\#(name)" points="\#(points)"/>"#
}

private func htmlTable(_ table: ReportTables.Table) -> String {
  func row(_ cells: [String], _ tag: String) -> String {
    "<tr>\(cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined())</tr>"
  }
  return """
    <table>
    \(row(table.head, "th"))
    \(table.rows.map { row($0, "td") }.joined(separator: "\n"))
    </table>
    """
}

/// Text that HTML takes as text, also within quotes.
func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    .replacing("\"", with: "&quot;")
}

/// Light or dark as the reader's system is; outlines in two colours that differ for the colour-blind too, with a rim that shows on any photo.
private let reportStyle = """
  :root { color-scheme: light dark; }
  body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em auto; max-width: 110em; padding: 0 1em; background: Canvas; color: CanvasText; }
  table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
  th, td { text-align: right; padding: .15em .7em; border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
  th:first-child, td:first-child { text-align: left; }
  .photos { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-end; }
  figure { margin: 0; width: 20em; }
  .view { position: relative; }
  .view img { display: block; width: 100%; height: auto; }
  .view svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
  polygon { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2.5; paint-order: stroke; filter: drop-shadow(0 0 1px black); }
  polygon.true { stroke: #2e9bff; }
  polygon.found { stroke: #ff8c1a; stroke-dasharray: 7 4; }
  .key { display: inline-block; width: 2em; height: 0; vertical-align: middle; border-top: 3px solid #2e9bff; margin: 0 .3em 0 1em; }
  .key.found { border-top: 3px dashed #ff8c1a; }
  .good { color: light-dark(#1a7f37, #57c274); }
  .bad { color: light-dark(#c0251c, #ff7b6e); }
  figcaption { overflow-wrap: anywhere; }
  """
