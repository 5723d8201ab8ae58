import HaloDevices
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloSimulator

@Suite(.timeLimit(.minutes(1))) struct RingEventTests {
    @Test func whatTheRingSaysUnaskedIsAnEvent() async throws {
        let bench = try await RingBench.connected()
        var events = bench.ring.events.makeAsyncIterator()
        bench.worn.modify { $0.setBattery(percent: 33) }
        bench.worn.modify { $0.searchPhone() }
        try await bench.pass(.seconds(400))
        var heard: [Ring.Event] = []
        for _ in 0..<3 { heard.append(try #require(try await events.next())) }
        #expect(heard.contains(.battery(BatteryCharge(percent: 33, isCharging: false))))
        #expect(heard.contains(.findPhone(true)))
        #expect(heard.contains(.stored(.heartRate)))
    }

    @Test func eachLoopHearsEverything() async throws {
        let bench = try await RingBench.connected()
        var first = bench.ring.events.makeAsyncIterator()
        var second = bench.ring.events.makeAsyncIterator()
        bench.worn.modify { $0.setBattery(percent: 20) }
        try await bench.pass(.seconds(2))
        let heard = try await first.next()
        #expect(heard == .battery(BatteryCharge(percent: 20, isCharging: false)))
        #expect(try await second.next() == heard)
    }

    @Test func eventsThatNobodyFetchesAreCounted() async throws {
        var options = RingOptions()
        options.bufferLimit = 2
        let bench = try await RingBench.connected(options: options)
        var events = bench.ring.events.makeAsyncIterator()
        for percent in [60, 50, 40, 30] {
            bench.worn.modify { $0.setBattery(percent: percent) }
            try await bench.pass(.seconds(2))
        }
        #expect(try await events.next() == .missed(2))
        #expect(
            try await events.next() == .battery(BatteryCharge(percent: 40, isCharging: false)))
        #expect(
            try await events.next() == .battery(BatteryCharge(percent: 30, isCharging: false)))
    }

    @Test func aWaveIsAGestureWhileTheyAreWatchedFor() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let moments = Box<[Moment]>([])
        let task = Task {
            for try await moment in ring.gestures { moments.change { $0.append(moment) } }
        }
        while bench.worn.state?.isCameraOpen != true { try await bench.pass(.seconds(1)) }
        for wait in [1, 1, 5] {
            bench.worn.modify { $0.wave() }
            try await bench.pass(.seconds(wait))
        }
        bench.worn.modify { $0.wave() }
        try await bench.pass(.seconds(6))
        while moments.value.count < 2 { await Task.yield() }
        #expect(moments.value.count == 2)
        task.cancel()
        try await task.value
        try await bench.pass(.seconds(3))
        #expect(bench.worn.state?.isCameraOpen == false)
    }

    @Test func aCancelledListenerEnds() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let task = Task { for try await _ in ring.events {} }
        task.cancel()
        try await task.value
        #expect(try await ring.battery().percent == 80)
    }
}
