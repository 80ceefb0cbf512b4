import CProcessMemory
import CommandLineKit
import FlatbedCommands
import Glibc

/// The entry point: parse, run, end with the status.
@main
struct Main {
  static func main() {
    StandardStreams.replaceClosed()
    flatbed_keep_memory()
    let interruption = Interruption()
    // A file-size limit is reported as an error of the write instead of ending the process.
    _ = signal(SIGXFSZ, SIG_IGN)
    let environment = ProcessArguments.environment()
    let console = Console.standard(programName: "flatbed", environment: environment)
    let words: [String]
    do {
      words = try ProcessArguments.words()
    } catch {
      FlatbedProgram.program.report(error, on: console)
      exit(ExitStatus.usage.rawValue)
    }
    let cancellation = Cancellation()
    let work = Task.detached {
      await FlatbedProgram.run(words, console: console, environment: environment)
    }
    cancellation.watch(work)
    Task.detached {
      let status = await work.value
      if status == .interrupted, let signal = cancellation.signal { exit(128 + signal) }
      exit(status.rawValue)
    }
    interruption.wait { cancellation.cancel(bySignal: $0) }
  }
}
