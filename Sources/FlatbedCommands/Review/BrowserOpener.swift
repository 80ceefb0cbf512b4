import ChildProcesses
import Glibc

/// Has the desktop open a file, and doesn't wait for what it starts.
///
/// - Returns: whether `xdg-open` could be started.
func openInBrowser(_ path: String, environment: [String: String]) -> Bool {
  guard let opener = ChildProgram.path(of: "xdg-open", in: environment) else { return false }
  let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
  guard nowhere >= 0 else { return false }
  defer { close(nowhere) }
  do {
    // Nobody waits for it: it may stay as long as the browser, and goes with this process's parent.
    _ = try ChildProgram(opener, ["xdg-open", path], environment: environment)
      .start((0..<3).map { ChildProgram.Stream(nowhere, as: $0) }, isDetached: true)
    return true
  } catch {
    return false
  }
}
