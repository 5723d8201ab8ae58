import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// What a simulated device does for its keys, and what it says of its end.
@Suite(.passesTime) struct SimulatorKeysTests {
    /// A ring at a minute of the day.
    private static func ring(at minute: Int) -> VirtualRing {
        var ring = VirtualRing(.r02, wearer: VirtualWear.wearer(seed: 3), days: 0)
        var effects = PeripheralEffects()
        let local = VirtualBluetooth.defaultStart.date
        let time = CivilDateTime(local).advanced(bySeconds: minute * 60)
        ring.handle(
            .started(WallClock(local: time, secondsFromUTC: 0)), at: .origin, into: &effects)
        return ring
    }

    /// The bedtime is at about 23:00.
    @Test func saysThatTheWearerDoesNotSleep() {
        let refusal = "no nap: its wearer is already asleep, or close to bedtime"
        for minute in [3 * 60, 22 * 60 + 40, 23 * 60 + 40] {
            var ring = Self.ring(at: minute)
            #expect(ring.execute(.sleep, percent: nil) == refusal)
        }
        var ring = Self.ring(at: 20 * 60)
        #expect(ring.execute(.sleep, percent: nil) == "its wearer sleeps")
    }

    @Test func saysThatTheWearerMovesAlready() {
        var ring = Self.ring(at: 3 * 60)
        #expect(ring.execute(.walk, percent: nil) == "its wearer walks")
        #expect(
            ring.execute(.walk, percent: nil)
                == "no walk: its wearer is already moving, or the day is over")
    }

    #if os(Linux)
    /// Standard error may be blocked while programs use the device.
    @Test func noNumberOfLinesHidesTheEnd() async {
        let log = DeviceLog()
        for number in 0..<1000 { log.add("\(number)") }
        log.end(with: 3)
        log.events.fail(Failure(.unusable, "the device is lost"))
        for number in 1000..<2000 { log.add("\(number)") }
        #expect(await Self.events(of: log) == (744..<1000).map { "\($0)" })
        #expect(log.status.withLock { $0 } == 3)

        let lost = DeviceLog()
        for number in 0..<1000 { lost.add("\(number)") }
        lost.events.fail(Failure(.unusable, "the device is lost"))
        lost.events.fail(Failure(.unusable, "it is lost again"))
        for number in 1000..<2000 { lost.add("\(number)") }
        let end = (745..<1000).map { "\($0)" } + ["failed: the device is lost"]
        #expect(await Self.events(of: lost) == end)
    }

    private static func events(of log: DeviceLog) async -> [String] {
        var events: [String] = []
        for await event in log.events.stream {
            switch event {
            case .value(.line(let line)): events.append(line)
            case .failed(let failure): events.append("failed: \(failure.message)")
            default: events.append("another event")
            }
        }
        return events
    }
    #endif
}
