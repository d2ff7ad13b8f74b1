// swift-tools-version: 6.2
import PackageDescription

// The same sources build as ordinary Swift and, with four flags on the command line (see the
// Makefile), as Embedded Swift; the manifest does not know the mode. TLS is a trait.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
  .treatWarning("EmbeddedRestrictions", as: .error),
]

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

/// Tests may use Foundation and what Embedded Swift lacks.
let testing: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "rawget",
  products: [
    .executable(name: "rawget", targets: ["RawGetMain"]),
    .library(name: "RawGet", targets: ["RawGet"]),
    // What `make lib` makes the C library of (scripts/lib.sh); not to be linked as it is.
    .library(name: "RawGetC", type: .static, targets: ["RawGetC"]),
  ],
  traits: [
    .trait(name: "TLS", description: "https through OpenSSL; without it the command needs libc alone."),
    .trait(name: "Async", description: "AsyncDownload, for `async` code: it needs the runtime of Swift's concurrency."),
    .default(enabledTraits: ["Async", "TLS"]),
  ],
  targets: [
    .target(name: "CPosix", path: "CModules/CPosix", cSettings: strictC),
    // Loads libssl and libcrypto when they are needed (functions.h).
    .target(name: "COpenSSL", path: "CModules/COpenSSL", cSettings: strictC),

    .target(name: "HTTP1", swiftSettings: strict),
    .target(name: "Posix", dependencies: ["CPosix"], swiftSettings: strict),
    .target(
      name: "TLS", dependencies: [.target(name: "COpenSSL", condition: .when(traits: ["TLS"]))],
      swiftSettings: strict),
    .target(name: "RawGet", dependencies: ["HTTP1", "Posix", "TLS"], swiftSettings: strict),
    .target(name: "CRawGet", path: "CModules/CRawGet", cSettings: strictC),
    .target(name: "RawGetC", dependencies: ["CRawGet", "RawGet"], swiftSettings: strict),
    .target(name: "RawGetCLI", dependencies: ["RawGet"], swiftSettings: strict),
    .executableTarget(name: "RawGetMain", dependencies: ["CPosix", "RawGetCLI"], cSettings: strictC),

    .executableTarget(
      name: "example-download", dependencies: ["RawGet"], path: "Examples/Download", swiftSettings: testing),

    .target(
      name: "CLoopbackTLS", path: "Tests/CLoopbackTLS", cSettings: strictC,
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .target(
      name: "LoopbackServer", dependencies: ["CLoopbackTLS"], path: "Tests/LoopbackServer",
      swiftSettings: testing),
    .executableTarget(
      name: "rawget-loopback", dependencies: ["LoopbackServer"], path: "Tests/LoopbackDemo",
      swiftSettings: testing),
    .executableTarget(
      name: "rawget-parse-driver", dependencies: ["HTTP1", "RawGet", "TLS"], path: "Tests/ParseDriver",
      swiftSettings: testing),
    .executableTarget(
      name: "rawget-parse-load", dependencies: ["HTTP1"], path: "Tests/ParseLoad", swiftSettings: testing),
    .executableTarget(
      name: "rawget-bench-heads", dependencies: ["HTTP1"], path: "Benchmarks/Heads", swiftSettings: testing),
    // Imports RawGet for testing, which a release build refuses: fuzz/build.sh has the flags.
    .target(
      name: "FuzzHarnesses", dependencies: ["HTTP1", "Posix", "RawGet"], path: "fuzz/Harnesses",
      swiftSettings: testing),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzHarnesses"], swiftSettings: testing),
    .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1"], swiftSettings: testing),
    .testTarget(name: "PosixTests", dependencies: ["Posix"], swiftSettings: testing),
    .testTarget(name: "TLSTests", dependencies: ["TLS", "LoopbackServer"], swiftSettings: testing),
    .testTarget(
      name: "RawGetTests", dependencies: ["FuzzHarnesses", "HTTP1", "Posix", "RawGet", "TLS", "LoopbackServer"],
      swiftSettings: testing),
    .testTarget(name: "CommandTests", dependencies: ["LoopbackServer"], swiftSettings: testing),
  ]
)
