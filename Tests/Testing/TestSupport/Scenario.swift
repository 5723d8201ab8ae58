internal import Foundation
internal import HaloTransport

/// A scenario of a file with many, recorded below a line `# name` and compared as a whole.
package struct Scenario: Sendable, CustomStringConvertible {
    /// The name, which no other scenario of the file has.
    package let name: String
    /// The recorded lines, without the empty ones.
    package let text: String
    private let path: String

    /// The name: what a test reports.
    package var description: String { name }

    private static let lock = Locked(())

    /// The scenarios of a file below `Fixtures/`. A file without one is a mistake.
    package static func all(in path: String) -> [Scenario] {
        let scenarios = parts(of: path).dropFirst().map { part in
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            return Scenario(
                name: String(lines[0]),
                text: lines.dropFirst().filter { !$0.isEmpty }.joined(separator: "\n"), path: path)
        }
        precondition(!scenarios.isEmpty, "Fixtures/\(path) has no scenarios")
        return scenarios
    }

    private static func parts(of path: String) -> [String] {
        GoldenText(path).lines.joined(separator: "\n").components(separatedBy: "\n# ")
    }

    /// Compares the scenario with an output, or records the output.
    package func expect(_ output: String) throws {
        if GoldenText.isUpdating { return try record(output) }
        let (was, now) = (text.split(separator: "\n"), output.split(separator: "\n"))
        if was == now { return }
        let line = zip(was, now).prefix { $0 == $1 }.count
        throw GoldenDifference(
            file: "\(path), # \(name)", line: line + 1,
            recorded: line < was.count ? String(was[line]) : "nothing more",
            now: line < now.count ? String(now[line]) : "nothing more")
    }

    private func record(_ output: String) throws {
        try Self.lock.withLock { _ in
            var parts = Self.parts(of: path)
            for index in parts.indices where parts[index].hasPrefix(name + "\n") {
                parts[index] = "\(name)\n\(output)\n"
            }
            try GoldenText(path).expect(parts.joined(separator: "\n# "))
        }
    }
}
