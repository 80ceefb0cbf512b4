import FoundationEssentials
import LoopbackServer
import ScanLibrary

/// Why a request of the page can't be answered, with a sentence for the person in front of it.
enum ReviewProblem: Error {
  case unknownAddress
  case badRequest(String)
  /// The library was locked while the review was open.
  case locked
  /// The scan isn't in review, or not in the library any more.
  case gone
  /// Somebody else has changed what was to be changed; this is how it is now.
  case changed(ScanState)
  /// The corners can't be those of a page.
  case corners(String)
  /// A picture can't be read.
  case picture(String)
  case library(LibraryError)

  var status: Int {
    switch self {
    case .unknownAddress: 404
    case .badRequest: 400
    case .locked: 423
    case .gone: 410
    case .changed: 409
    case .corners: 422
    case .library(.noSuchScan): 410
    case .library(.locked), .library(.wrongKey): 423
    case .picture, .library: 500
    }
  }

  /// A sentence that begins with a capital and ends in a full stop.
  var text: String {
    switch self {
    case .unknownAddress: "There is nothing at this address."
    case .badRequest(let what): "The page asked for something that makes no sense: \(what)."
    case .locked: "The library has been locked. What was saved is kept."
    case .gone, .library(.noSuchScan): "This scan is not in the library any more."
    case .changed: "It was changed elsewhere meanwhile, in another tab or by a command."
    case .corners(let reason): "This can't be the outline of a page: \(reason)."
    case .picture(let reason): "The picture can't be shown: \(reason)."
    case .library(let error): "The library can't do that: \(error)."
    }
  }
}

private struct ProblemAnswer: Encodable {
  let error: String
  let scan: ScanState?
}

func problem(_ problem: ReviewProblem) -> LoopbackResponse {
  let scan: ScanState? = if case .changed(let state) = problem { state } else { nil }
  var response = json(ProblemAnswer(error: problem.text, scan: scan))
  response.status = problem.status
  return response
}

func json(_ value: some Encodable) -> LoopbackResponse {
  do {
    return LoopbackResponse(contentType: "application/json", body: Array(try JSONEncoder().encode(value)))
  } catch {
    // Our own values are plain text and finite numbers, all of which JSON can hold.
    preconditionFailure("an answer can't be written as JSON: \(error)")
  }
}
