import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// A ring over the radio has the delays of real rings.
@Suite(.passesTime) struct VirtualRingAirTests {
    /// A central that writes to a ring and receives its notifications.
    private final class Listener {
        let air: Air
        let device: DeviceNumber
        private var link = AirLinkNumber(device: DeviceNumber(0), serial: 0)
        private var tag: UInt64 = 0
        private var write = AttributeID(0)
        private var recordWrite = AttributeID(0)
        private(set) var heard: [(moment: Moment, frame: Frame)] = []
        /// The moment of the latest value outside the first service.
        private(set) var recordHeard: Moment?

        init(_ profile: RingProfile, seed: UInt64) {
            let clock = WallClock(local: RingBench.start, secondsFromUTC: 0)
            air = Air(seed: seed, startingAt: clock)
            let ring = VirtualRing(profile, days: 2)
            device = air.add(ring)
            air.connect(central: CentralNumber(0), to: device, tag: 1)
            while air.nextEventTime != nil {
                air.runNextEvent()
                if case .connected(let link, _) = air.nextOutput() {
                    self.link = link
                    break
                }
            }
            for service in ring.services {
                if let found = service.characteristic(RingServices.uartWrite) { write = found.id }
                if let found = service.characteristic(RingServices.uartNotify) {
                    air.setNotify(true, for: found.id, on: link, tag: 2)
                }
                if let found = service.characteristic(RingServices.bigDataWrite) {
                    recordWrite = found.id
                }
                if let found = service.characteristic(RingServices.bigDataNotify) {
                    air.setNotify(true, for: found.id, on: link, tag: 3)
                }
            }
            run(until: air.now + .milliseconds(400))
        }

        func run(until end: Moment) {
            while let next = air.nextEventTime, next <= end {
                air.runNextEvent()
                while let output = air.nextOutput() {
                    guard case .event(_, .value(_, let bytes)) = output else { continue }
                    if let frame = try? Frame(decoding: bytes) {
                        heard.append((air.now, frame))
                    } else if recordHeard == nil {
                        recordHeard = air.now
                    }
                }
            }
            air.advance(to: end)
        }

        /// Requests a record, and returns the delay of its first piece.
        func ask(_ request: BigDataFrame) -> Double? {
            recordHeard = nil
            let asked = air.now
            tag += 1
            air.write(request.bytes, to: recordWrite, .withoutResponse, on: link, tag: 100 + tag)
            let deadline = asked + .seconds(10)
            while recordHeard == nil, let next = air.nextEventTime, next <= deadline {
                run(until: next)
            }
            return recordHeard.map { Double($0.microseconds(since: asked)) / 1000 }
        }

        /// Sends a request, and returns the delays of the first and the last frame.
        func ask(
            _ request: some RequestPacket, frames count: Int
        ) -> (first: Double, last: Double)? {
            heard = []
            let asked = air.now
            tag += 1
            air.write(
                Array(request.frame.bytes), to: write, .withoutResponse, on: link, tag: 100 + tag)
            let deadline = asked + .seconds(10)
            func answers() -> [(moment: Moment, frame: Frame)] {
                heard.filter { $0.frame.opcode == request.frame.opcode }
            }
            while answers().count < count, let next = air.nextEventTime, next <= deadline {
                run(until: next)
            }
            let found = answers()
            guard let first = found.first, let last = found.last, found.count == count else {
                return nil
            }
            return (
                Double(first.moment.microseconds(since: asked)) / 1000,
                Double(last.moment.microseconds(since: asked)) / 1000
            )
        }
    }

    @Test func recordsComeAsSoonAsCaptured() throws {
        var delays: [Double] = []
        for seed in 0..<12 as Range<UInt64> {
            let listener = Listener(.r12, seed: seed)
            for request in [Sleep.Request.allNights.frame, BloodOxygen.Request.allDays.frame] {
                delays.append(try #require(listener.ask(request)))
                listener.run(until: listener.air.now + .milliseconds(400))
            }
        }
        // On a fast link, captures have 90 to 300 ms.
        #expect(delays.allSatisfy { 80...310 ~= $0 }, "\(delays.sorted())")
    }

    @Test func answersComeAfterTwoMeetingsOfTheRadios() throws {
        var delays: [Double] = []
        for seed in 0..<12 as Range<UInt64> {
            let listener = Listener(.r12, seed: seed)
            _ = listener.ask(Battery.Request(), frames: 1)
            for _ in 0..<8 {
                // The vendor's app asks again 3 to 15 ms after an answer.
                listener.run(until: listener.air.now + .milliseconds(8))
                delays.append(try #require(listener.ask(Battery.Request(), frames: 1)).first)
            }
        }
        let sorted = delays.sorted()
        #expect(sorted.allSatisfy { 45...145 ~= $0 }, "\(sorted)")
        #expect(80...96 ~= sorted[sorted.count / 2], "\(sorted)")
    }

    @Test func aDayOfHeartRatesTakesAsLongAsCaptured() throws {
        for seed in 0..<4 as Range<UInt64> {
            let listener = Listener(.r12, seed: seed)
            let request = HeartRateLog.Request(time: RingBench.start)
            let fast = try #require(listener.ask(request, frames: 24))
            #expect(350...750 ~= fast.last, "\(fast)")
            // Some seconds later the ring has requested a slow connection.
            listener.run(until: listener.air.now + .seconds(5))
            let slow = try #require(listener.ask(request, frames: 24))
            #expect(1700...2900 ~= slow.last, "\(slow)")
            listener.run(until: listener.air.now + .seconds(1))
            let late = try #require(listener.ask(Battery.Request(), frames: 1))
            #expect(100...900 ~= late.first, "\(late)")
        }
    }
}
