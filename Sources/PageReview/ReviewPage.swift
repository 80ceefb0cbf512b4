private import CReviewPage
package import LoopbackServer

/// The files of the review's page by their addresses, as they are built into the program: nothing of them tells anything of a scan.
package let reviewPage: [String: LoopbackResponse] = {
  var pages: [String: LoopbackResponse] = [:]
  var index = 0
  while let file = unsafe flatbed_review_file_at(index) {
    let content = unsafe UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)
    unsafe pages[String(cString: file.pointee.path)] = LoopbackResponse(
      contentType: String(cString: file.pointee.content_type), body: Array(content))
    index += 1
  }
  return pages
}()
