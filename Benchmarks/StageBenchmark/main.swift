import Glibc
import ScanPipeline

// Times each stage on one photo, and enhancing drawn pages: `make bench`, or `make bench PHOTO=a.jpg`.

guard CommandLine.arguments.count == 2 else {
  print("usage: StageBenchmark PHOTO")
  exit(2)
}
do {
  try benchmark(PhotoFile(path: CommandLine.arguments[1]))
  benchmarkDrawnPages()
} catch {
  print("can't measure \(CommandLine.arguments[1]): \(error)")
  exit(1)
}
