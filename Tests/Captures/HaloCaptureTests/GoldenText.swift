import Foundation
import Testing

/// A file below `Fixtures/` with recorded output, which is compared as a whole.
///
/// A person reviews the recording: `HALO_UPDATE_FIXTURES=1 swift test` writes it again, and
/// `git diff` shows the changes.
struct GoldenText {
    let path: String

    /// A file at a path below `Fixtures/`.
    init(_ path: String) { self.path = path }

    private var url: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/\(path)")
    }

    private static let isUpdating =
        ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1"

    /// The names of which the recording has lines, in the same order; all while it is written.
    ///
    /// A new fixture is left out until the recording is written again, so it fails no test of the
    /// others.
    func recorded(of names: [String]) -> [String] {
        if Self.isUpdating { return names }
        let lines = recording
        return names.filter { name in
            lines.contains { $0 == name || $0.hasPrefix("\(name):") || $0.hasPrefix("\(name) ") }
        }
    }

    private var recording: [Substring] {
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// Compares a text of several lines.
    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let lines = text.last == "\n" ? String(text.dropLast()) : text
        try expect([lines], sourceLocation: sourceLocation)
    }

    /// Fails at the first line that differs from the recording.
    func expect(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let lines = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
        if Self.isUpdating {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try lines.map { $0 + "\n" }.joined().write(to: url, atomically: true, encoding: .utf8)
            return
        }
        let recorded = recording
        if recorded.elementsEqual(lines, by: { $0 == $1 }) { return }
        let place = zip(recorded, lines).prefix { $0 == $1 }.count
        let was = place < recorded.count ? String(recorded[place]) : "nothing more"
        let now = place < lines.count ? lines[place] : "nothing more"
        let words = """
            Fixtures/\(path), line \(place + 1), says otherwise:
              recorded: \(was)
              now:      \(now)
            HALO_UPDATE_FIXTURES=1 swift test writes the file anew; git diff shows what changed.
            """
        Issue.record("\(words)", sourceLocation: sourceLocation)
    }
}

/// A golden table of long texts: a line with name, length and digest for each.
///
/// With `HALO_GOLDEN_TEXTS=folder` the texts themselves are written to the folder: compare two
/// such folders, from before and after a change, to see the differences.
struct GoldenTable {
    private(set) var lines: [String] = []
    private let folder: String?

    /// A table whose texts go to a folder of that name.
    init(_ name: String) {
        folder = ProcessInfo.processInfo.environment["HALO_GOLDEN_TEXTS"].map { "\($0)/\(name)" }
        lines.append("# name, lines and digest of texts that HALO_GOLDEN_TEXTS=folder writes")
    }

    mutating func add(_ name: String, _ text: [String]) throws {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in text {
            for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            digest = (digest ^ 10) &* 0x100_0000_01B3
        }
        let digits = String(digest, radix: 16)
        let hex = String(repeating: "0", count: 16 - digits.count) + digits
        lines.append("\(name): \(text.count) \(hex)")
        guard let folder else { return }
        try FileManager.default.createDirectory(
            at: URL(filePath: folder), withIntermediateDirectories: true)
        let file = name.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
        try text.map { $0 + "\n" }.joined().write(
            toFile: "\(folder)/\(String(file)).txt", atomically: true, encoding: .utf8)
    }
}
