import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Rings that answer little: connecting ends within its timeout.
@Suite(.passesTime) struct RingTimeoutTests {
    /// The frames that a deaf ring may still send.
    static let hearings: [OddRing.Hearing] = [
        .nothing, .dripping([ActivityLog.opcode]),
        .dripping([
            ActivityLog.opcode, HeartRateLog.opcode, StressLog.opcode,
            HeartRateVariabilityLog.opcode,
        ]),
        .onlyAtFirst(1),
    ]

    /// Has the ring send the beginning of its replies again, every two seconds.
    static func drip(_ worn: Placed<OddRing>, in air: VirtualBluetooth) {
        _ = air.time.schedule(at: air.time.now() + .seconds(2)) {
            worn.modify { $0.drip() }
            drip(worn, in: air)
        }
    }

    @Test(arguments: hearings.indices, [4, 12, 30, 60])
    func connectingEndsInTime(_ index: Int, seconds: Int) throws {
        try virtually { air in
            let worn = air.add(OddRing(Self.hearings[index]))
            Self.drip(worn, in: air)
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(seconds)
            let start = air.time.now()
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(air.time.now().duration(since: start) <= .seconds(seconds))
            #expect(ring.connectionState == .connected)
            #expect(!ring.clock.wasSet)
            worn.modify { $0.hear(.everything) }
            #expect(try await ring.battery().percent == 80)
            try await ring.setClock()
            #expect(ring.clock.wasSet)
        }
    }

    @Test(arguments: hearings.indices)
    func reconnectingEndsInTime(_ index: Int) throws {
        try virtually { air in
            let worn = air.add(OddRing())
            var options = RingOptions.keeping()
            options.reconnect.attemptTimeout = .seconds(8)
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            worn.modify { $0.hear(Self.hearings[index]) }
            worn.moveAway()
            try await air.clock.sleep(for: .seconds(20))
            worn.comeBack()
            Self.drip(worn, in: air)
            while !worn.isConnected { try await air.clock.sleep(for: .milliseconds(10)) }
            let start = air.time.now()
            try await ring.waitUntilConnected()
            #expect(air.time.now().duration(since: start) <= .seconds(8))
        }
    }

    @Test func aRingWithoutRepliesIsNotConnected() throws {
        let silence = FaultRule(.silence, .subscription(2))
        let error = try virtually(faults: FaultPlan(rules: [silence])) { air in
            let worn = air.add(OddRing())
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(9)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                _ = try await Ring.connect(to: worn.identity, over: air, options: options)
            }
            #expect(air.time.now().duration(since: start) == .seconds(9))
            return error
        }
        #expect(error?.bleError?.kind == .timedOut)
    }

    @Test func aVersionThatDoesNotComeIsNotWaitedFor() throws {
        let silence = FaultRule(.silence, .read(1))
        try virtually(faults: FaultPlan(rules: [silence])) { air in
            let worn = air.add(OddRing())
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(9)
            let start = air.time.now()
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(air.time.now().duration(since: start) <= .seconds(9))
            #expect(ring.firmware == nil)
        }
    }

    /// A clock that is five days off: the stored days are read before it is set.
    private static let wrong = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))

    @Test func theHistoryBeforeTheClockChangeIsReadWithinTheTimeout() throws {
        try virtually { air in
            let worn = air.add(OddRing(days: 7, options: Self.wrong))
            let start = air.time.now()
            let ring = try await Ring.connect(
                to: worn.identity, over: air, options: .keeping())
            #expect(air.time.now().duration(since: start) <= RingOptions().connectTimeout)
            #expect(ring.historyBeforeClockChange?.isComplete == true)
            #expect(ring.clock.wasSet)
        }
    }

    @Test func ifTheTimeoutIsTooShortTheClockIsLeftAlone() throws {
        try virtually { air in
            let worn = air.add(OddRing(days: 7, options: Self.wrong))
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(6)
            let start = air.time.now()
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(air.time.now().duration(since: start) <= .seconds(6))
            #expect(ring.historyBeforeClockChange?.isComplete == false)
            #expect(!ring.clock.wasSet)
        }
    }

    /// The ring falls silent after some requests, the first of which gives its day.
    @Test(arguments: [1, 2, 6, 12])
    func daysThatCouldNotBeReadStayInReach(_ count: Int) throws {
        try virtually { air in
            let worn = air.add(OddRing(.onlyAtFirst(count), days: 7, options: Self.wrong))
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(20)
            let start = air.time.now()
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(air.time.now().duration(since: start) <= .seconds(20))
            #expect(!ring.clock.wasSet)
            #expect(worn.state?.written.contains { $0.opcode == SetTime.opcode } == false)
            let history = try #require(ring.historyBeforeClockChange)
            #expect(!history.isComplete)
            let kinds: Set<DeviceError.Kind> = [.timedOut, .uncertainDay]
            #expect(history.failures.allSatisfy { kinds.contains($0.error.kind) })
            if count == 12 { #expect(!history[.sleep].isEmpty) }
            // Later links do not try again.
            worn.modify { $0.hear(.everything) }
            worn.moveAway()
            try await air.clock.sleep(for: .seconds(20))
            worn.comeBack()
            try await ring.waitUntilConnected()
            #expect(!ring.clock.wasSet)
            try await ring.setClock()
            #expect(ring.clock.wasSet)
        }
    }
}
