/// A package whose tests are run: the repository itself, or one inside of it that compiles a module
/// in a way of its own.
struct TestPackage: Hashable, Sendable {
    /// The name in the manifest.
    let name: String
    /// The folder in the repository; empty for the repository itself.
    let folder: String
    /// What an inner package compiles in a way of its own; `nil` for the repository itself.
    let inner: Inner?

    /// A module, and the target that compiles it: from a link of the module's name in `Sources`.
    struct Inner: Hashable, Sendable {
        let module: String
        let target: String
    }

    static let repository = TestPackage(name: "HaloProtocol", folder: "", inner: nil)
    static let inside = [
        TestPackage(
            name: "Apple", folder: "Tests/Tools/Apple",
            inner: Inner(module: "HaloCoreBluetooth", target: "HaloCoreBluetoothOnStandIns"))
    ]

    /// The packages that compile some of the modules.
    static func compiling(_ modules: [String]) -> [TestPackage] {
        let inner = inside.filter { package in
            package.inner.map { modules.contains($0.module) } ?? false
        }
        return inner.count == modules.count ? inner : [repository] + inner
    }

    /// The program with all tests of the package, below the root of the copy.
    var binary: String { "\(folder)/.build/debug/\(name)PackageTests.xctest" }
}
