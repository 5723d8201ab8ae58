internal import Foundation
package import HaloCapture
internal import TestSupport

/// A folder of `Fixtures/`.
package struct FixtureFolder {
    private let url: URL

    /// The folder at a path below `Fixtures/`; without one, that folder itself.
    package init(_ path: String = "") {
        url = URL(filePath: packagePath("Fixtures/\(path)"))
    }

    /// The names of the files in it, in order.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// The paths of the captures in it, at any depth, in order.
    package var captures: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? [])
            .filter { $0.hasSuffix(".halo") }.sorted()
    }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url.appending(path: name)))
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// The first 160 lines of a text.
    package func beginning(of name: String) throws -> String {
        try text(name).split(separator: "\n", omittingEmptySubsequences: false).prefix(160)
            .joined(separator: "\n") + "\n"
    }

    package func capture(_ name: String) throws -> Capture { try Capture(reading: bytes(name)) }
}

extension Capture {
    /// The capture of the readable beginning of a text.
    package init(readable text: String) {
        var reader = CaptureReader()
        try? reader.read(Array(text.utf8))
        self = reader.capture
    }
}
