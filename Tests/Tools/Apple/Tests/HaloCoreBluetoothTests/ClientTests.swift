import CoreBluetooth
import HaloCoreBluetooth
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// What an app does with a ring or a strap has the same result over the backend as over the air
/// itself, where the clients' own tests are.
@Suite(.timeLimit(.minutes(20))) struct ClientTests {
    /// Something that an app does, and its result as text. An error is a result, too.
    struct Action<Client: Sendable, Device: GATTPeripheral>: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (Client, Placed<Device>) async throws -> String

        init(
            _ name: String,
            _ run: @escaping @Sendable (Client, Placed<Device>) async throws -> String
        ) {
            testDescription = name
            self.run = run
        }

        func result(_ client: Client, _ device: Placed<Device>) async -> String {
            do { return try await run(client, device) } catch { return "failed: \(error)" }
        }
    }

    typealias RingAction = Action<Ring, VirtualRing>
    typealias StrapAction = Action<HeartRateSensor, VirtualHeartRateSensor>

    private static func first<Elements: AsyncSequence>(
        _ elements: Elements, where fits: (Elements.Element) -> Bool = { _ in true }
    ) async throws -> Elements.Element? {
        for try await element in elements where fits(element) { return element }
        return nil
    }

    private static func readsBack<Value: Equatable & Sendable>(
        _ setting: RingSetting<Value>, _ value: Value, _ ring: Ring
    ) async throws -> String {
        let before = try await ring.setting(setting)
        try await ring.set(setting, to: value)
        let after = try await ring.setting(setting)
        return "\(before), then \(after)"
    }

    static let ringActions: [RingAction] = [
        RingAction("what it is") { ring, _ in
            "\(ring.firmware as Any) \(ring.hardware as Any) \(ring.capabilities) \(ring.dialect)"
        },
        RingAction("device information") { ring, _ in "\(try await ring.deviceInformation())" },
        RingAction("battery") { ring, _ in "\(try await ring.battery())" },
        RingAction("the two days before today") { ring, _ in
            let history = try await ring.history(days: 4)
            let today = CivilDateTime(ring.time.wallClock().local.date)
            let days = today.advanced(bySeconds: -2 * 86_400)..<today
            func past<Value>(_ samples: [TimedSample<Value>]) -> [TimedSample<Value>] {
                samples.filter { days.contains($0.time) }
            }
            let heart = past(history[.heartRate])
            #expect(heart.count > 100)
            return """
                \(history.failures) \(history.unsupported.count) \(heart) \
                \(past(history[.stress])) \(past(history[.heartRateVariability])) \
                \(past(history[.activity])) \(past(history[.bloodOxygen])) \
                \(past(history[.temperature])) \
                \(history[.sleep].filter { days.contains($0.start) })
                """
        },
        RingAction("workouts") { ring, _ in
            "\(try await ring.log(.workouts))"
        },
        RingAction("switches") { ring, _ in
            try await readsBack(.stressLog, true, ring)
                + (try await readsBack(.heartRateVariabilityLog, false, ring))
        },
        RingAction("the interval of measurements") { ring, _ in
            try await readsBack(
                .heartRateLog, HeartRateLogging(isOn: true, interval: .seconds(1200)), ring)
        },
        RingAction("goals") { ring, _ in
            let goals = DailyGoals(
                steps: 70_000, kilocalories: 412.5, metres: 9_001, sport: .seconds(1800),
                sleep: .seconds(8 * 3600))
            return try await readsBack(.goals, goals, ring)
        },
        RingAction("a heart rate") { ring, _ in
            "\(40...180 ~= (try await ring.measureHeartRate()).beatsPerMinute)"
        },
        RingAction("blood oxygen and stress") { ring, _ in
            let oxygen = try await ring.measureBloodOxygen().percent
            let stress = try await ring.measureStress().score
            return "\(85...100 ~= oxygen) \(1...100 ~= stress)"
        },
        RingAction("a measurement that is left, and another one") { ring, _ in
            let rate = try await first(ring.measure(.heartRate, repeating: true))
            let oxygen = try await first(ring.measure(.bloodOxygen))
            return "\(rate != nil) \(oxygen != nil)"
        },
        RingAction("a ring that is not worn") { ring, worn in
            worn.modify { $0.takeOff() }
            defer { worn.modify { $0.putOn() } }
            return "\(try await ring.measureHeartRate())"
        },
        RingAction("an event") { ring, worn in
            var events = ring.events.makeAsyncIterator()
            worn.modify { $0.setBattery(percent: 11) }
            while let event = try await events.next() {
                if case .battery(let charge) = event, charge.percent == 11,
                    charge.isCharging != true
                {
                    return "\(event)"
                }
            }
            return "none"
        },
        RingAction("a gesture") { ring, worn in
            let waves = Task {
                while !Task.isCancelled {
                    worn.modify { $0.wave() }
                    try? await ring.time.clock.sleep(for: .milliseconds(200))
                }
            }
            defer { waves.cancel() }
            return "\(try await first(ring.gestures) != nil)"
        },
        RingAction("a workout") { ring, _ in
            let run = try await ring.startWorkout(.walk)
            return "\(try await first(run) != nil)"
        },
        RingAction("the clock") { ring, _ in
            try await ring.setClock()
            return "\(ring.clock.wasSet)"
        },
        RingAction("a light that blinks") { ring, _ in
            try await ring.blink()
            try await ring.findMe()
            return "done"
        },
        RingAction("a lost link") { ring, worn in
            worn.moveAway()
            _ = try await first(ring.connectionStates) { !$0.isConnected }
            let refusal: (any Error)?
            do {
                _ = try await ring.battery()
                refusal = nil
            } catch { refusal = error }
            worn.comeBack()
            try await ring.waitUntilConnected()
            return "\((refusal as? DeviceError)?.kind as Any) \(try await ring.battery())"
        },
    ]

    /// Makes an air whose clocks show the phone's time at first.
    private static func air(at wall: WallClock) -> VirtualBluetooth {
        VirtualBluetooth(
            seed: 5, mode: .realTime(speed: 20), startingAt: wall.local,
            secondsFromUTC: wall.secondsFromUTC)
    }

    @Test(arguments: ringActions)
    func aRingIsTheSame(_ action: RingAction) async throws {
        let wall = SystemTime().wallClock()
        let virtual = VirtualRing(.r12, wearer: Wearer(seed: 5), days: 4)
        let plain = Self.air(at: wall)
        let plainDevice = plain.add(virtual)
        let plainRing = try await Ring.connect(over: plain)
        let expected = await action.result(plainRing, plainDevice)
        await plainRing.disconnect()

        let phoneAir = Self.air(at: wall)
        let phone = Phone(air: phoneAir)
        let device = phoneAir.add(virtual)
        let ring = try await Ring.connect(over: PhoneBench.launch(on: phone))
        #expect(await action.result(ring, device) == expected)
        await ring.disconnect()
    }

    static let strapActions: [StrapAction] = [
        StrapAction("what it is") { strap, _ in
            "\(try await strap.location() as Any) \(try await strap.deviceInformation())"
        },
        StrapAction("battery") { strap, _ in "\(try await strap.battery())" },
        StrapAction("energy") { strap, device in
            device.modify { $0.setEnergy(kilojoules: 300) }
            try await strap.resetEnergy()
            return "\(device.state?.energyKilojoules as Any)"
        },
        StrapAction("measurements") { strap, device in
            var rates: [Int] = []
            device.modify { $0.beat(atBeatsPerMinute: 77) }
            for try await measurement in strap.measurements {
                rates.append(measurement.beatsPerMinute)
                if rates.count == 20 { break }
            }
            return "\(rates.last as Any)"
        },
        StrapAction("a strap that is taken off") { strap, device in
            var reports = strap.reports.makeAsyncIterator()
            device.modify { $0.takeOff() }
            while let report = try await reports.next() {
                if case .contact(isTouchingSkin: false) = report { return "off" }
            }
            return "on"
        },
        StrapAction("a lost link") { strap, device in
            device.moveAway()
            _ = try await first(strap.connectionStates) { !$0.isConnected }
            device.comeBack()
            try await strap.waitUntilConnected()
            return "\(try await first(strap.measurements) != nil)"
        },
    ]

    @Test(arguments: strapActions)
    func aStrapIsTheSame(_ action: StrapAction) async throws {
        let virtual = VirtualHeartRateSensor(location: .chest)
        let plain = VirtualBluetooth(seed: 5, mode: .realTime(speed: 20))
        let plainDevice = plain.add(virtual)
        let plainStrap = try await HeartRateSensor.connect(over: plain)
        let expected = await action.result(plainStrap, plainDevice)
        await plainStrap.disconnect()

        let bench = PhoneBench(seed: 5)
        let device = bench.air.add(virtual)
        let strap = try await HeartRateSensor.connect(over: bench.transport)
        #expect(await action.result(strap, device) == expected)
        await strap.disconnect()
    }

    // MARK: Services that change while a log is read

    /// A ring that reports changed services on demand.
    private struct ChangingRing: GATTPeripheral {
        var ring: VirtualRing
        private(set) var further = 0
        private var isDue = false

        init(_ ring: VirtualRing) { self.ring = ring }

        var services: [GATTService] {
            ring.services
                + (0..<further).map {
                    GATTService(BluetoothUUID(0xAA00 + UInt32($0)), characteristics: [])
                }
        }

        mutating func addService() {
            further += 1
            isDue = true
        }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            ring.handle(event, at: now, into: &effects)
            if isDue { effects.append(.servicesChanged) }
            isDue = false
        }
    }

    @Test func aLogIsReadWhileTheServicesChange() async throws {
        let air = Self.air(at: SystemTime().wallClock())
        let worn = air.add(ChangingRing(VirtualRing(.r02, wearer: Wearer(seed: 5), days: 4)))
        let ring = try await Ring.connect(over: PhoneBench.launch(on: Phone(air: air)))
        let history = try await ring.history(days: 4) { progress in
            if [2, 5].contains(progress.step) { worn.modify { $0.addService() } }
        }
        #expect(history.failures == [])
        #expect(!history[.heartRate].isEmpty)
        #expect(worn.state?.further == 2)
        await ring.disconnect()
    }
}
