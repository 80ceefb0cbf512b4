import CProcessMemory
import Glibc
import ScanPipeline

// Times each stage on one photo, and enhancing drawn pages: `make bench-stages PHOTO=a.jpg`.

guard CommandLine.arguments.count == 2 else {
  print("usage: StageBenchmark PHOTO")
  exit(2)
}
// As the program does, so that its pages of memory aren't fetched anew for each picture.
flatbed_keep_memory()
do {
  try benchmark(PhotoFile(path: CommandLine.arguments[1]))
  benchmarkDrawnPages()
} catch {
  print("can't measure \(CommandLine.arguments[1]): \(error)")
  exit(1)
}
