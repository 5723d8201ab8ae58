import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Runs a life on virtual time, and compares its log with `Fixtures/Golden/Lives`. In the end there
/// may be no timer, scan, link or waiting task left.
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
        try GoldenText("Golden/Lives/\(name).txt").expect(log.text)
    }
}

extension LifeLog {
    /// Notes the elements of a sequence, and its end.
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

    /// Notes the result of a function.
    func attempt<Value>(_ words: String, _ body: () async throws -> Value) async {
        do {
            let value = try await body()
            let result = value is Void ? "done" : "\(value)"
            note("\(words): \(result.isEmpty ? "nothing" : result)")
        } catch {
            note("\(words): \(error)")
        }
    }

    /// Waits on virtual time.
    func pass(_ duration: Duration) async {
        try? await bluetooth.clock.sleep(for: duration)
        await Task.yield()
    }
}
