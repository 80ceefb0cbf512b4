import Glibc
import ScanPipeline

// Times each stage on one photo: `make bench`, or `make bench PHOTO=a.jpg`.

guard CommandLine.arguments.count == 2 else {
  print("usage: StageBenchmark PHOTO")
  exit(2)
}
do {
  try benchmark(PhotoFile(path: CommandLine.arguments[1]))
} catch {
  print("can't measure \(CommandLine.arguments[1]): \(error)")
  exit(1)
}
