internal import Foundation

/// A file with recorded output, which is compared as a whole.
///
/// A person reviews the recording: `HALO_UPDATE_FIXTURES=1 swift test` writes it again, and
/// `git diff` shows the changes.
package struct GoldenText {
    private let path: String

    /// A file at a path below a folder of the package.
    package init(_ path: String, in folder: String = "Fixtures") { self.path = "\(folder)/\(path)" }

    /// The recorded text; empty without a file.
    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    private var url: URL { URL(filePath: packagePath(path)) }

    static let isUpdating =
        ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1"

    /// The names of which the recording has lines, in the same order; all while it is written.
    ///
    /// A new fixture is left out until the recording is written again, so it fails no test of the
    /// others.
    ///
    /// - Parameter step: Of how many recorded names one is returned, unless `HALO_THOROUGH` is set.
    package func recorded(of names: [String], every step: Int = 1) -> [String] {
        if Self.isUpdating { return names }
        let lines = self.lines
        let recorded = names.filter { name in
            let heads = [name + ":", name + " "]
            return lines.contains { $0 == name || heads.contains(where: $0.hasPrefix) }
        }
        return Thoroughness.part(recorded, every: step)
    }

    /// Every `step`-th case; all while the recording is written, and if `HALO_THOROUGH` is set.
    package func recorded<Case>(_ cases: some Sequence<Case>, every step: Int) -> [Case] {
        Self.isUpdating ? Array(cases) : Thoroughness.part(Array(cases), every: step)
    }

    /// The recorded lines; none without a file.
    package var lines: [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// Compares a text of several lines.
    package func expect(_ text: String) throws {
        try expect([text.last == "\n" ? String(text.dropLast()) : text])
    }

    /// Compares a table that may have a part of the recorded lines: those of its names.
    package func expect(_ table: GoldenTable) throws {
        if Self.isUpdating || Thoroughness.isWhole { return try expect(table.lines) }
        let names = Set(table.lines.map(GoldenTable.name))
        try expect(table.lines, as: lines.filter { names.contains(GoldenTable.name(String($0))) })
    }

    /// Throws ``GoldenDifference`` at the first line that differs from the recording.
    package func expect(_ lines: [String]) throws {
        let lines = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .map { line in
                var line = line
                while line.last == " " { line.removeLast() }
                return String(line)
            }
        if Self.isUpdating { return try write(lines.map { $0 + "\n" }.joined()) }
        try expect(lines, as: self.lines)
    }

    private func expect(_ lines: [String], as recorded: [Substring]) throws {
        if recorded.elementsEqual(lines, by: { $0 == $1 }) { return }
        let place = zip(recorded, lines).prefix { $0 == $1 }.count
        let was = place < recorded.count ? String(recorded[place]) : "nothing more"
        let now = place < lines.count ? lines[place] : "nothing more"
        throw GoldenDifference(file: path, line: place + 1, recorded: was, now: now)
    }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
}

/// An error: an output differs from the recorded one.
package struct GoldenDifference: Error, CustomStringConvertible {
    let file: String
    let line: Int
    let recorded: String
    let now: String

    /// The first different line, in a sentence.
    package var description: String {
        """
        \(file), line \(line), says otherwise:
          recorded: \(recorded)
          now:      \(now)
        HALO_UPDATE_FIXTURES=1 swift test writes the file anew; git diff shows what changed.
        """
    }
}
