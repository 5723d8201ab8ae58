import Foundation
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

/// A file of `Fixtures/`.
struct FixtureFile: Sendable, CustomTestStringConvertible {
    /// The name of its folder.
    let folder: String
    /// The name without the extension.
    let name: String
    /// The location of the file.
    let path: String
    /// The text of the file.
    let text: String
    /// The parsed capture, up to the first error.
    let capture: Capture
    /// The parsing error, or `nil`.
    let error: CaptureError?

    var testDescription: String { "\(folder)/\(name)" }

    /// The folder of all fixtures: this package's, or that of `HALO_FIXTURES`, which tests the
    /// commands of Documentation/FromBugReportToTest.md.
    static let root =
        ProcessInfo.processInfo.environment["HALO_FIXTURES"].map {
            URL(filePath: $0, directoryHint: .isDirectory)
        }
        ?? URL(filePath: packagePath("Fixtures/"))

    /// Returns the files of a folder, by name.
    static func all(in folder: String) -> [FixtureFile] { files[folder] ?? [] }

    /// The names of all folders.
    static let folders = [
        "Advertising", "BigData", "Characteristics", "Commands", "Invalid", "LEDStrip", "Sessions",
    ]

    /// The captures of whole sessions, in folders of any depth.
    static let captures: [FixtureFile] = {
        let found = read("Captures")
        guard isUpdating else { return found }
        for file in found where file.error == nil { FixtureReadings(file).rewrite() }
        return read("Captures")
    }()

    private static var isUpdating: Bool {
        ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1"
    }

    private static let files: [String: [FixtureFile]] = {
        var files: [String: [FixtureFile]] = [:]
        for folder in folders {
            files[folder] = read(folder)
            guard isUpdating else { continue }
            for file in files[folder] ?? [] where file.error == nil {
                FixtureReadings(file).rewrite()
            }
            files[folder] = read(folder)
        }
        return files
    }()

    private static func read(_ folder: String) -> [FixtureFile] {
        let directory = root.appending(path: folder, directoryHint: .isDirectory)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".halo") }.sorted().map { name in
            FixtureFile(folder, String(name.dropLast(5)), directory.appending(path: name))
        }
    }

    private init(_ folder: String, _ name: String, _ url: URL) {
        self.folder = folder
        self.name = name
        path = url.path
        let bytes = (try? Data(contentsOf: url)) ?? Data()
        text = String(decoding: bytes, as: UTF8.self)
        var reader = CaptureReader()
        do throws(CaptureError) {
            try reader.read(bytes)
            capture = try reader.finish()
            error = nil
        } catch {
            capture = reader.capture
            self.error = error
        }
    }

    /// Returns the source location of a line, for failures.
    func location(line: Int, column: Int = 1) -> SourceLocation {
        SourceLocation(
            fileID: "\(folder)/\(name).halo", filePath: path, line: line, column: column)
    }

    /// Replaces the file.
    func write(_ capture: Capture) {
        guard capture.text != text else { return }
        try? Data(capture.text.utf8).write(to: URL(filePath: path))
    }
}
