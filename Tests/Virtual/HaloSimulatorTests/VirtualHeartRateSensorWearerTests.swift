import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A virtual strap that a person wears.
@Suite(.passesTime) struct VirtualHeartRateSensorWearerTests {
    @Test func saysWhatTheWearersHeartDoes() throws {
        let wearer = Wearer(seed: 3, restingHeartRate: 52)
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(wearer: wearer))
        let start = CivilDateTime(secondsSince1970: 1_800_000_000)
        let all = try probe.measurements(for: .seconds(300))
        for (index, measurement) in all.enumerated() {
            let state = wearer.state(at: start.advanced(bySeconds: index + 1))
            #expect(measurement.beatsPerMinute == UInt16(state.beatsPerMinute))
        }
        #expect(all.count == 300)
    }

    @Test func sendsTheWearersBeatsOneAfterAnother() throws {
        let wearer = Wearer(seed: 3)
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(wearer: wearer))
        let sent = try probe.measurements(for: .seconds(60)).flatMap(\.rrIntervals)
        var beats = HeartBeats(
            of: wearer, from: CivilDateTime(secondsSince1970: 1_800_000_000))
        var expected: [UInt16] = []
        while true {
            let beat = beats.next()
            guard beat.microseconds <= 60_000_000 else { break }
            expected.append(beat.intervalTicks)
        }
        #expect(sent == expected)
        #expect(sent.count > 40)
    }

    @Test func itsIntervalsAddUpToItsRate() throws {
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor())
        let all = try probe.measurements(for: .seconds(600))
        let intervals = all.flatMap(\.rrIntervals)
        let mean = all.map { Int($0.beatsPerMinute) }.reduce(0, +) / all.count
        #expect(abs(intervals.count - mean * 10) <= mean / 2)
    }

    @Test func hearsNoBeatThatBeganBeforeContact() throws {
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor())
        probe.advance(by: .milliseconds(10_300))
        probe.modify { $0.takeOff() }
        probe.advance(by: .milliseconds(5000))
        probe.modify { $0.putOn() }
        _ = try probe.measurements(for: .milliseconds(200))
        let after = try probe.measurements(for: .seconds(30)).flatMap(\.rrIntervals)
        let total = after.reduce(0) { $0 + Int($1) }
        #expect(total <= 31 * 1024)
        #expect(total >= 28 * 1024)
    }
}
