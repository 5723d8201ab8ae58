import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// Lives a life on virtual time, and compares what was written down with `Fixtures/Lives`; in the
/// end nothing may be left of it: no timer, scan or link, and nobody who waits.
func live(
    _ name: String, startingAt start: CivilDateTime = VirtualBluetooth.defaultStart,
    faults: FaultPlan = .none,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (VirtualBluetooth, LifeLog) async throws -> Void
) throws {
    try virtually(startingAt: start, faults: faults) { air in
        let log = LifeLog(air)
        try await body(air, log)
        // Closing a link takes some seconds at most.
        await log.pass(.seconds(10))
        #expect(log.leftovers == [], sourceLocation: sourceLocation)
        try LifeFile(name).compare(log.text, sourceLocation: sourceLocation)
    }
}

/// A life as it was recorded and read through; `HALO_UPDATE_FIXTURES=1` records it anew.
struct LifeFile {
    private let url: URL

    init(_ name: String) {
        url = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Lives/\(name).txt")
    }

    func compare(_ text: String, sourceLocation: SourceLocation) throws {
        if ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1" {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: url, encoding: .utf8)
        guard recorded != text else { return }
        let before = recorded.split(separator: "\n")
        let now = text.split(separator: "\n")
        let same = zip(before, now).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(url.lastPathComponent), line \(same + 1), has
            \(before.dropFirst(same).first ?? "its end")
            and now it is
            \(now.dropFirst(same).first ?? "the end")
            """, sourceLocation: sourceLocation)
    }
}

extension LifeLog {
    /// Notes every element of a sequence, and how it ends.
    func follow<Elements: AsyncSequence>(
        _ words: String, _ elements: Elements, atMost limit: Int = .max
    ) async {
        var count = 0
        do {
            for try await element in elements {
                note("\(words): \(element)")
                count += 1
                if count == limit { break }
            }
            note("\(words): \(count == limit ? "left" : "ended")")
        } catch {
            note("\(words): \(error)")
        }
    }

    /// Notes what comes of something.
    func attempt<Value>(_ words: String, _ body: () async throws -> Value) async {
        do {
            let value = try await body()
            let result = value is Void ? "done" : "\(value)"
            note("\(words): \(result.isEmpty ? "nothing" : result)")
        } catch {
            note("\(words): \(error)")
        }
    }

    /// Lets virtual time pass.
    func pass(_ duration: Duration) async {
        try? await bluetooth.clock.sleep(for: duration)
        await Task.yield()
    }
}
