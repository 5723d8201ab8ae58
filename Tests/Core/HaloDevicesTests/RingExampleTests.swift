import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// What the example of README.md does, with more of its results, and a ring that is taken off.
@Suite(.passesTime) struct RingExampleTests {
    @Test func connectsMeasuresAndReadsAWeek() async throws {
        let air = VirtualBluetooth(seed: 7)
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(restingHeartRate: 58), days: 7))
        air.add(VirtualHeartRateSensor(location: .chest))

        let ring = try await Ring.connect(over: air)
        let battery = try await ring.battery()
        let now = try await ring.measureHeartRate()
        var beats: [Int] = []
        for try await beat in ring.measure(.heartRate) { beats.append(beat.beatsPerMinute) }
        worn.modify { $0.takeOff() }
        var steps: [HistoryProgress] = []
        let history = try await ring.history(days: 7) { progress in steps.append(progress) }

        #expect(battery.description == "80 %")
        #expect(40...180 ~= now.beatsPerMinute)
        #expect(beats.count > 20)
        #expect(beats.allSatisfy { 40...180 ~= $0 })
        #expect(history.isComplete)
        #expect(history[.heartRate].count > 500)
        #expect(history[.sleep].contains { !$0.isNap })
        #expect(steps.last?.fraction == 1)
        #expect(steps.map(\.step) == Array(1...steps.count))
    }
}
