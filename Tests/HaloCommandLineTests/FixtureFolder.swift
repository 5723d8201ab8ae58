import Foundation

/// The folder `Fixtures/`.
enum FixtureFolder {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// A file or folder at a path below it.
    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    /// The files of a folder below it, in order.
    static func files(in folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: url(folder), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }
}
