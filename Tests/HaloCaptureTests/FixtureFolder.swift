import Foundation

/// A folder of `Fixtures/`.
struct FixtureFolder {
    let url: URL

    init(_ path: String) {
        url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/\(path)")
    }

    /// The names of the files in it, in order.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// Where a file of it lies.
    func path(_ name: String) -> String { url.appending(path: name).path }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url.appending(path: name)))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}
