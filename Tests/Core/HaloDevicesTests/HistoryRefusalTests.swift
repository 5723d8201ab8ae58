import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Refusals of single days, which a busy ring may send, and of whole kinds.
@Suite(.passesTime) struct HistoryRefusalTests {
    /// Reads a history of a ring that refuses a log of some days, the first `times` times. Returns
    /// the requests for these days, too.
    private static func read(
        refusing opcode: UInt8, days: ClosedRange<UInt8>, times: Int,
        wanted: Int = 7
    ) throws -> (history: RingHistory, requests: Int) {
        try virtually { air in
            let count = Box(0)
            let ring = VirtualRing(.r10, wearer: Wearer(seed: 1), days: 7)
            let worn = air.add(
                ScriptedRing(ring) { bytes, _ in
                    guard bytes.first == opcode, bytes.count > 1, days ~= bytes[1] else {
                        return nil
                    }
                    count.value += 1
                    guard count.value <= times else { return nil }
                    return [Array(Refusal(of: opcode).frame.bytes)]
                })
            let client = try await Ring.connect(to: worn.identity, over: air)
            let history = try await client.history(days: wanted)
            await client.disconnect()
            return (history, count.value)
        }
    }

    private static func dates(_ samples: [TimedSample<Int>]) -> Set<CivilDate> {
        Set(samples.map(\.time.date))
    }

    @Test(arguments: 0...3)
    func aDayThatIsRefusedOnceIsRequestedAgain(_ day: UInt8) throws {
        let (all, _) = try Self.read(refusing: StressLog.opcode, days: day...day, times: 0)
        let (history, requests) = try Self.read(
            refusing: StressLog.opcode, days: day...day, times: 1)
        #expect(requests == 2)
        #expect(history.isComplete && history.unsupported == all.unsupported)
        #expect(Self.dates(history[.stress]) == Self.dates(all[.stress]))
        #expect(Self.dates(all[.stress]).count == 4)
    }

    @Test(arguments: 1...3)
    func aDayThatIsRefusedTwiceHasFailed(_ day: UInt8) throws {
        let (history, requests) = try Self.read(
            refusing: StressLog.opcode, days: day...day, times: 9)
        #expect(requests == 2)
        #expect(history.failures.map(\.kind) == [.stress])
        #expect(history.failures.map(\.daysAgo) == [Int(day)])
        #expect(history.failures.map(\.error.kind) == [.refused])
        #expect(history.failures.allSatisfy { $0.error.isTransient })
        #expect(!history.unsupported.contains(.stress) && !history.isComplete)
        #expect(Self.dates(history[.stress]).count == 3, "the other days are read")
        let date = try #require(history.today.daysEarlier(day))
        #expect(history.coverage[.stress, date] == .failed)
    }

    @Test func aKindThatIsAlwaysRefusedIsNotSupported() throws {
        let (history, requests) = try Self.read(
            refusing: HeartRateVariabilityLog.opcode, days: 0...30, times: 99)
        #expect(requests == 2, "one retry, and no request for other days")
        #expect(history.unsupported.contains(.heartRateVariability) && history.isComplete)
        #expect(history.coverage.dates(of: .heartRateVariability, .unsupported).count == 7)
    }
}
