import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// Lives a life on virtual time, and compares what was noted with `Fixtures/Golden/Lives`; in the
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
        try GoldenText("Golden/Lives/\(name).txt").expect(
            log.text, sourceLocation: sourceLocation)
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
