/// A request as it came, with its body whole.
package struct LoopbackRequest: Sendable, Hashable {
  /// `GET`, `POST` and so on, as it was sent.
  package var method: String
  /// The path without its query, unescaped, such as `/api/scans`.
  package var path: String
  /// What stands after the question mark, unescaped; of a name given twice the last value.
  package var query: [String: String]
  /// By their names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(
    method: String = "GET", path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// An answer; the headers that protect it are put on by the site.
package struct LoopbackResponse: Sendable, Hashable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]
  /// Further headers, by name.
  package var headers: [String: String]

  package init(
    status: Int = 200, contentType: String, body: [UInt8], headers: [String: String] = [:]
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.headers = headers
  }

  /// A short text: why something was refused.
  package init(status: Int, text: String) {
    self.init(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }
}
