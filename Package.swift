// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: Swift 6 mode, warnings are errors, and every use of a pointer says `unsafe`.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A C library of the system: a module map and its pkg-config name, nothing else.
func systemLibrary(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, resources: resources,
    swiftSettings: strict)
}

let package = Package(
  name: "flatbed",
  products: [.executable(name: "flatbed", targets: ["flatbed"])],
  targets: [
    // C libraries.
    systemLibrary("CSystemPNG", pkgConfig: "libpng", debian: "libpng-dev"),
    systemLibrary("CSystemJPEG", pkgConfig: "libjpeg", debian: "libjpeg-dev"),
    systemLibrary("CSystemTIFF", pkgConfig: "libtiff-4", debian: "libtiff-dev"),
    // Its header alone: the library is loaded when a file needs it.
    .systemLibrary(name: "CSystemHEIF", providers: [.apt(["libheif-dev"])]),
    systemLibrary("CSystemLCMS", pkgConfig: "lcms2", debian: "liblcms2-dev"),
    systemLibrary("CSystemSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
    systemLibrary("CSystemDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
    systemLibrary("CSystemMicroHTTPD", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
    .target(
      name: "CCodecShims",
      dependencies: ["CSystemPNG", "CSystemJPEG", "CSystemTIFF", "CSystemHEIF", "CSystemLCMS"],
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),

    .target(name: "CProcessMemory", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(name: "CFileShims", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(name: "CKeyShims", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),

    target("SystemErrors"),

    .target(name: "CSpawnShims", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    target("ChildProcesses", ["CSpawnShims"]),

    // Stages: each a function on values, none knows another.
    target("Raster"),
    .target(name: "CPNGKernels", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    target("ImageCodecs", ["Raster", "CCodecShims", "CSystemDeflate", "CPNGKernels"]),
    .target(
      name: "CPageNet", exclude: ["page-net.weights"],
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-Wno-c23-extensions"])]),
    target("PageNet", ["CPageNet", "Raster"]),
    target("PageDetection", ["PageNet", "Raster"]),
    .target(name: "CCorrectionKernels", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    target("PerspectiveCorrection", ["Raster", "CCorrectionKernels"]),
    .target(name: "CEnhanceKernels", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    target("Enhancement", ["Raster", "CEnhanceKernels"]),

    // Files and the world.
    target(
      "LibraryKeys", ["SystemErrors", "ChildProcesses", "CSystemSodium", "CKeyShims", "CProcessMemory"]),
    .target(name: "CHashKernels", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    target(
      "ScanLibrary",
      ["Raster", "SystemErrors", "LibraryKeys", "CSystemSodium", "CHashKernels", "CFileShims"]),
    target("DocumentOutput", ["SystemErrors", "ChildProcesses", "Raster", "CSystemDeflate"]),

    // Composition and the command line.
    target(
      "ScanPipeline",
      [
        "Raster", "ImageCodecs", "PageDetection", "PerspectiveCorrection", "Enhancement",
        "ScanLibrary", "LibraryKeys", "SystemErrors",
      ]),
    target("LoopbackServer", ["SystemErrors", "CSystemMicroHTTPD"]),
    .target(
      name: "CReviewPage", exclude: ["page"],
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-Wno-c23-extensions"])]),
    target(
      "PageReview",
      [
        "LoopbackServer", "CReviewPage", "ScanPipeline", "ScanLibrary", "ImageCodecs", "PageDetection",
        "PerspectiveCorrection", "Enhancement", "Raster",
      ]),
    target("CommandLineKit", ["SystemErrors"]),
    target(
      "FlatbedCommands",
      [
        "CommandLineKit", "LoopbackServer", "PageReview", "ScanPipeline", "ScanLibrary", "LibraryKeys",
        "DocumentOutput", "ChildProcesses",
        "Raster", "ImageCodecs", "PageDetection", "PerspectiveCorrection", "Enhancement",
      ]),
    .executableTarget(
      name: "flatbed", dependencies: ["FlatbedCommands", "CommandLineKit", "CProcessMemory"],
      swiftSettings: strict),

    // Speed of the stages: `make bench`.
    .executableTarget(
      name: "StageBenchmark",
      dependencies: [
        "ScanPipeline", "ImageCodecs", "PageDetection", "PerspectiveCorrection", "Enhancement", "Raster",
        "CProcessMemory",
      ], path: "Benchmarks/StageBenchmark", swiftSettings: strict),

    // Large libraries: `make bench-scale`.
    .executableTarget(
      name: "MakeLibrary", dependencies: ["ScanLibrary", "LibraryKeys", "ImageCodecs", "Raster"],
      path: "Benchmarks/MakeLibrary", swiftSettings: strict),

    // Quality on photos whose truth is known: `make evaluate`.
    .target(
      name: "Evaluation",
      dependencies: [
        "ScanPipeline", "ImageCodecs", "PageDetection", "Enhancement", "Raster", "ScanLibrary",
        "SystemErrors",
      ],
      path: "Tools/evaluate/Evaluation", swiftSettings: strict),
    .executableTarget(
      name: "Evaluate", dependencies: ["Evaluation"], path: "Tools/evaluate/Evaluate", swiftSettings: strict),

    // What the ranking of outlines is fitted on.
    .executableTarget(
      name: "RankingTrace", dependencies: ["PageDetection", "ImageCodecs", "Raster"],
      path: "Tools/fit-detection/RankingTrace", swiftSettings: strict),

    // Tests.
    .target(name: "TestSupport", dependencies: ["Raster"], path: "Tests/TestSupport", swiftSettings: strict),
    tests("ChildProcessesTests", ["ChildProcesses"]),
    tests("RasterTests", ["Raster"]),
    tests("ImageCodecsTests", ["ImageCodecs", "Raster", "CSystemDeflate"], resources: [.copy("Fixtures")]),
    tests("PageNetTests", ["PageNet"], resources: [.copy("Fixtures")]),
    tests("PageDetectionTests", ["PageDetection", "ImageCodecs", "Raster"]),
    tests("PerspectiveCorrectionTests", ["PerspectiveCorrection", "Raster"]),
    tests("EnhancementTests", ["Enhancement", "Raster"]),
    tests("LibraryKeysTests", ["LibraryKeys", "CProcessMemory"]),
    tests("ScanLibraryTests", ["ScanLibrary", "LibraryKeys", "Raster"]),
    tests("DocumentOutputTests", ["DocumentOutput", "Enhancement", "ImageCodecs", "Raster"]),
    tests(
      "ScanPipelineTests",
      ["ScanPipeline", "ImageCodecs", "PageDetection", "PerspectiveCorrection", "Raster"]),
    tests("LoopbackServerTests", ["LoopbackServer"]),
    tests(
      "PageReviewTests",
      [
        "PageReview", "LoopbackServer", "ScanPipeline", "ScanLibrary", "ImageCodecs",
        "PerspectiveCorrection", "Raster",
      ]),
    tests("EvaluationTests", ["Evaluation", "ImageCodecs", "PageDetection", "Raster"]),
    tests("CommandLineKitTests", ["CommandLineKit"], exclude: ["Snapshots"]),
    tests("FlatbedCommandsTests", ["FlatbedCommands", "CommandLineKit"]),
    tests(
      "EndToEndTests",
      [
        "flatbed", "FlatbedCommands", "CommandLineKit", "ImageCodecs", "ScanLibrary", "LoopbackServer",
        "PageReview", "Raster",
      ]),
  ],
  cLanguageStandard: .c17
)
