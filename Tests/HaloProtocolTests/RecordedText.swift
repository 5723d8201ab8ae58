import Foundation
import Testing

/// A text of `Fixtures/Lives`, which was recorded and read through; `HALO_UPDATE_FIXTURES=1`
/// records it anew.
struct RecordedText {
    private let url: URL

    init(_ name: String) {
        url = FixtureFile.root.appending(path: "Lives/\(name).txt")
    }

    func compare(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1" {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: url, encoding: .utf8)
        guard recorded != text else { return }
        let (before, now) = (recorded.split(separator: "\n"), text.split(separator: "\n"))
        let same = zip(before, now).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(url.lastPathComponent), line \(same + 1), has
            \(before.dropFirst(same).first ?? "its end")
            and now it is
            \(now.dropFirst(same).first ?? "the end")
            """, sourceLocation: location)
    }
}
