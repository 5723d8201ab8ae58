internal import Foundation

/// A temporary folder, which is removed with its last reference.
package final class TestFolder: Sendable {
    /// Its path, without a slash at the end.
    package let path: String
    /// The last component of the path: the system may know the folder before it by another name.
    package let name = "halo-test-\(UUID().uuidString)"

    package init() {
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file, which need not exist.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of the files, in order.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    package func hasFile(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Writes a text, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}
