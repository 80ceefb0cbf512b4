/// The frame of a PDF 1.4 file: objects one after the other, then the table of where they begin.
struct PDFWriter: Sendable {
  /// An object's number, by which others refer to it.
  struct Reference: Sendable, Hashable {
    var number: Int
    var text: String { "\(number) 0 R" }
  }

  private static let catalog = Reference(number: 1)
  /// The parent of every page.
  static let pageTree = Reference(number: 2)

  private var chunks: [[UInt8]] = []
  private var length = 0
  /// Where each object begins, in bytes from the start of the file; those not written yet have none.
  private var offsets: [Int: Int] = [:]
  private var next = 3

  init() {
    // Four bytes above 127 in a comment tell programs that the file is not text.
    write("%PDF-1.4\n%")
    write([0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
  }

  mutating func addObject(_ body: String) -> Reference {
    let reference = Reference(number: next)
    next += 1
    writeObject(reference, body)
    return reference
  }

  /// Adds bytes, with a dictionary that describes them and lacks only their length.
  mutating func addStream(_ entries: String, _ bytes: [UInt8]) -> Reference {
    let reference = Reference(number: next)
    next += 1
    offsets[reference.number] = length
    write("\(reference.number) 0 obj\n<<\(entries)/Length \(bytes.count)>>\nstream\n")
    write(bytes)
    write("\nendstream\nendobj\n")
    return reference
  }

  /// Ends the file and hands out all of it, in pieces.
  consuming func finish(pages: [Reference]) -> [[UInt8]] {
    let kids = pages.map(\.text).joined(separator: " ")
    writeObject(Self.pageTree, "<</Type/Pages/Count \(pages.count)/Kids[\(kids)]>>")
    writeObject(Self.catalog, "<</Type/Catalog/Pages \(Self.pageTree.text)>>")
    let table = length
    // Each line has exactly 20 bytes, the end of the line included.
    write("xref\n0 \(next)\n0000000000 65535 f \n")
    for number in 1..<next {
      let offset = String(offsets[number] ?? 0)
      write(String(repeating: "0", count: max(0, 10 - offset.count)) + offset + " 00000 n \n")
    }
    write("trailer\n<</Size \(next)/Root \(Self.catalog.text)>>\nstartxref\n\(table)\n%%EOF\n")
    return chunks
  }

  private mutating func writeObject(_ reference: Reference, _ body: String) {
    offsets[reference.number] = length
    write("\(reference.number) 0 obj\n\(body)\nendobj\n")
  }

  private mutating func write(_ text: String) { write(Array(text.utf8)) }

  private mutating func write(_ bytes: [UInt8]) {
    chunks.append(bytes)
    length += bytes.count
  }

  /// A number with three decimals, which is a third of a micrometre, and never in scientific notation.
  static func number(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(abs(thousandths) % 1000)
    let sign = thousandths < 0 ? "-" : ""
    return "\(sign)\(abs(thousandths) / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
