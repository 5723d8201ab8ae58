import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

@Suite(.passesTime) struct RingEventTests {
    @Test func unsolicitedReportsAreEvents() async throws {
        let bench = try await RingBench.connected()
        var events = bench.ring.events.makeAsyncIterator()
        bench.worn.modify { $0.setBattery(percent: 33) }
        bench.worn.modify { $0.findPhone() }
        try await bench.pass(.seconds(2000))
        await bench.ring.disconnect()
        var heard: [Ring.Event] = []
        while let event = try await events.next() { heard.append(event) }
        #expect(heard.contains(.battery(BatteryCharge(percent: 33, isCharging: false))))
        #expect(heard.contains(.findPhone(isOn: true)))
        #expect(heard.contains(.stored(.heartRate)))
    }

    /// An R08 reports its touches after an app has asked for them.
    @Test func touchesAreEvents() async throws {
        let bench = try await RingBench.connected(.r08)
        #expect(bench.ring.capabilities.touch == true)
        #expect(bench.ring.dialect.touches.value == true)
        var events = bench.ring.events.makeAsyncIterator()
        bench.worn.modify { $0.touch(.longPress) }
        try await bench.ring.change(.touch) { $0.set(\.app, to: .report) }
        for touch in [RingNotification.Touch.swipeUp, .swipeDown, .tap, .longPress] {
            bench.worn.modify { $0.touch(touch) }
        }
        try await bench.pass(.seconds(2))
        await bench.ring.disconnect()
        var touches: [Ring.Touch] = []
        while let event = try await events.next() {
            if case .touched(let touch) = event { touches.append(touch) }
        }
        #expect(touches == [.swipeUp, .swipeDown, .tap, .longPress])
        #expect(touches.map { "\(Ring.Event.touched($0))" }.last == "touched: long press")
    }

    @Test func eachLoopReceivesAllEvents() async throws {
        let bench = try await RingBench.connected()
        var first = bench.ring.events.makeAsyncIterator()
        var second = bench.ring.events.makeAsyncIterator()
        bench.worn.modify { $0.setBattery(percent: 20) }
        try await bench.pass(.seconds(2))
        let heard = try await first.next()
        #expect(heard == .battery(BatteryCharge(percent: 20, isCharging: false)))
        #expect(try await second.next() == heard)
    }

    @Test func droppedEventsAreCounted() async throws {
        var options = RingOptions()
        options.bufferLimit = 2
        let bench = try await RingBench.connected(options: options)
        var events = bench.ring.events.makeAsyncIterator()
        for percent in [60, 50, 40, 30] {
            bench.worn.modify { $0.setBattery(percent: percent) }
            try await bench.pass(.seconds(2))
        }
        await bench.ring.disconnect()
        guard case .missed(let count) = try await events.next() else {
            Issue.record("nothing is missing")
            return
        }
        #expect(count >= 2)
        var kept: [Ring.Event] = []
        while let event = try await events.next() { kept.append(event) }
        #expect(kept.count == 2)
        #expect(kept.contains(.battery(BatteryCharge(percent: 30, isCharging: false))))
    }

    private static func gestures(of ring: Ring) async throws -> [Moment] {
        var moments: [Moment] = []
        for try await moment in ring.gestures { moments.append(moment) }
        return moments
    }

    @Test func theRingWatchesNoLongerThanTheLoop() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let (worn, ring) = (bench.worn, bench.ring)
            try await withThrowingTaskGroup(of: [Moment].self) { group in
                group.addTask { try await Self.gestures(of: ring) }
                while worn.state?.isCameraOpen == false { try await bench.pass(.seconds(1)) }
                try await bench.pass(.seconds(10))
                #expect(worn.state?.isCameraOpen == true)
                group.cancelAll()
                #expect(try await group.next() == [])
            }
            try await bench.pass(.seconds(3))
            #expect(worn.state?.isCameraOpen == false)
        }
    }

    @Test func aCancelledLoopEnds() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let task = Task { for try await _ in ring.events {} }
        task.cancel()
        try await task.value
        #expect(try await ring.battery().percent == 80)
    }
}
