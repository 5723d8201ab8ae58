import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// The link of a heart-rate sensor.
struct HeartRateSensorLinkTests {
    /// A device that advertises to be a sensor, and has no measurements.
    private struct Pretender: GATTPeripheral {
        private var database = GATTDatabase()

        init() {
            database.add(StandardServices.heartRate) { service in
                _ = service.add(CharacteristicCatalog.bodySensorLocation.uuid, .read, value: [1])
            }
        }

        var services: [GATTService] { database.services }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            guard case .started = event else { return }
            effects.append(
                .advertise(
                    PeripheralAdvertisement(
                        .connectable(name: "HR", services: [StandardServices.heartRate]))))
        }
    }

    private struct Interruption: Error {}

    @Test func refusesADeviceWithoutMeasurements() async throws {
        let air = VirtualBluetooth(seed: 1)
        let device = air.add(Pretender())
        let error = await #expect(throws: DeviceError.self) {
            try await HeartRateSensor.connect(over: air)
        }
        #expect(error?.kind == .wrongDevice)
        try await air.clock.sleep(for: .seconds(1))
        #expect(!device.isConnected)
    }

    @Test func endsQuietlyWhenDisconnected() async throws {
        let air = VirtualBluetooth(seed: 2)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        #expect(sensor.connectionState == .connected)
        var count = 0
        for try await _ in sensor.measurements {
            count += 1
            if count == 3 { await sensor.disconnect() }
        }
        #expect(count == 3)
        #expect(!strap.isConnected)
        #expect(sensor.link == nil)
        let error = await #expect(throws: DeviceError.self) { try await sensor.location() }
        #expect(error?.kind == .disconnected)
        #expect(error?.reason?.kind == .local)
        let late = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.reports { Issue.record("nothing comes after the end") }
        }
        #expect(late?.reason?.kind == .local)
        await sensor.disconnect()
    }

    @Test func isReconnectedAndGoesOnMeasuring() async throws {
        let air = VirtualBluetooth(seed: 3)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        var states = sensor.connectionStates.makeAsyncIterator()
        #expect(try await states.next() == .connected)
        var reports: [HeartRateReport] = []
        for try await report in sensor.reports {
            reports.append(report)
            if reports.count == 2 {
                strap.moveAway()
                // The device comes back after the link was lost.
                _ = air.time.schedule(at: air.time.now() + .seconds(40)) { strap.comeBack() }
            }
            if case .interrupted = report {
                #expect(sensor.connectionState == .reconnecting(attempt: 0))
                #expect(sensor.link == nil)
            }
            if reports.count == 6 { break }
        }
        let interruptions = reports.indices.filter { reports[$0] == .interrupted }
        #expect(interruptions.count == 1)
        #expect(sensor.connectionState == .connected)
        #expect(try await states.next() == .reconnecting(attempt: 0))
        while let state = try await states.next(), state != .connected {
            guard case .reconnecting = state else {
                Issue.record("\(state)")
                return
            }
        }
        #expect(try await sensor.location() == .chest)
    }

    @Test func staysDisconnectedIfThePolicySaysSo() async throws {
        let air = VirtualBluetooth(seed: 4)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        var options = HeartRateSensorOptions()
        options.reconnect = .never
        let sensor = try await HeartRateSensor.connect(over: air, options: options)
        let error = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.measurements { strap.moveAway() }
        }
        #expect(error?.kind == .disconnected)
        #expect(error?.reason?.kind == .outOfReach)
        let again = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.measurements {}
        }
        #expect(again?.kind == .disconnected)
        let connected = await #expect(throws: DeviceError.self) { try await sensor.connected() }
        #expect(connected?.kind == .disconnected)
        var states: [ConnectionState] = []
        for try await state in sensor.connectionStates { states.append(state) }
        #expect(states.count == 1)
    }

    @Test func triesAsOftenAsThePolicySays() async throws {
        let air = VirtualBluetooth(seed: 5)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        var options = HeartRateSensorOptions()
        options.reconnect = ReconnectPolicy(
            attempts: 3, firstDelay: .seconds(1), attemptTimeout: .seconds(5))
        let sensor = try await HeartRateSensor.connect(over: air, options: options)
        let told = sensor.connectionStates.makeAsyncIterator()
        let end = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.measurements { strap.moveAway() }
        }
        #expect(end?.bleError?.kind == .timedOut)
        let states = try await Self.all(told)
        let attempts = states.compactMap { state in
            if case .reconnecting(let attempt) = state { attempt } else { nil }
        }
        #expect(attempts == [0, 1, 2])
        #expect(states.last == end.map { .disconnected($0) })
    }

    private static func all(
        _ iterator: DeviceUpdates<ConnectionState>.AsyncIterator
    ) async throws -> [ConnectionState] {
        var iterator = iterator
        var states: [ConnectionState] = []
        while let state = try await iterator.next() { states.append(state) }
        return states
    }

    @Test func waitsUntilItCanBeAskedAgain() async throws {
        let air = VirtualBluetooth(seed: 6)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        try await sensor.connected()
        for try await report in sensor.reports {
            if report == .interrupted { break }
            strap.moveAway()
        }
        let error = await #expect(throws: DeviceError.self) { try await sensor.battery() }
        #expect(error?.kind == .disconnected)
        strap.comeBack()
        try await sensor.connected()
        #expect(try await sensor.battery().percent == 100)
    }

    @Test func throwsWhenTheSensorHasFallenSilent() async throws {
        let air = VirtualBluetooth(seed: 7)
        let strap = air.add(
            VirtualHeartRateSensor(playing: [try HeartRateMeasurement(beatsPerMinute: 60)]))
        var options = HeartRateSensorOptions()
        options.silenceTimeout = .seconds(10)
        let sensor = try await HeartRateSensor.connect(over: air, options: options)
        var count = 0
        let error = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.measurements { count += 1 }
        }
        #expect(error?.kind == .silent)
        #expect(count == 1)
        #expect(sensor.connectionState == .connected)
        _ = try await sensor.battery()
        #expect(strap.state?.isMeasuring == false)
        strap.modify { $0.beat(atBeatsPerMinute: 70) }
        for try await beat in sensor.measurements {
            #expect(beat.beatsPerMinute == 70)
            break
        }
    }

    @Test func isDisconnectedWhenItIsReleased() async throws {
        let air = VirtualBluetooth(seed: 8)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        do {
            let sensor = try await HeartRateSensor.connect(over: air)
            _ = sensor.identity
            #expect(strap.isConnected)
        }
        try await air.clock.sleep(for: .seconds(1))
        #expect(!strap.isConnected)
    }

    @Test func isRetainedByItsSequences() async throws {
        let air = VirtualBluetooth(seed: 8)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        var measurements = try await HeartRateSensor.connect(over: air).measurements
            .makeAsyncIterator()
        #expect(try await measurements.next() != nil)
        try await air.clock.sleep(for: .seconds(5))
        #expect(strap.isConnected)
        #expect(try await measurements.next() != nil)
    }

    @Test func disconnectsAfterTheBody() async throws {
        let air = VirtualBluetooth(seed: 9)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let place = try await withHeartRateSensor(over: air) { sensor in
            #expect(strap.isConnected)
            return try await sensor.location()
        }
        #expect(place == .chest)
        #expect(!strap.isConnected)
        await #expect(throws: Interruption.self) {
            try await withHeartRateSensor(strap.identity, over: air) { _ in
                throw Interruption()
            }
        }
        #expect(!strap.isConnected)
    }
}
