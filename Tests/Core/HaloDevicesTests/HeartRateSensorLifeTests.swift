import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Whole lives of heart-rate sensors: each timer, operation and event, as `Fixtures/Golden/Lives`
/// has them.
@Suite(.passesTime) struct HeartRateSensorLifeTests {
    static func steady() -> VirtualHeartRateSensor {
        VirtualHeartRateSensor(location: .chest, beatsPerMinute: 61)
    }

    @Test func aSensorIsAskedForEverything() throws {
        try live("SensorAsked") { air, log in
            let strap = air.add(Self.steady())
            let sensor = try await HeartRateSensor.connect(over: log.bluetooth)
            log.note("connected to \(sensor)")
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("states", sensor.connectionStates) }
                group.addTask {
                    await log.follow("battery", sensor.batteryCharges, atMost: 1)
                    await log.pass(.seconds(1))
                    await log.follow("battery again", sensor.batteryCharges)
                }
                await log.attempt("battery") { try await sensor.battery() }
                await log.attempt("location") { try await sensor.location() }
                await log.attempt("information") { try await sensor.deviceInformation() }
                await log.attempt("energy") { try await sensor.resetEnergy() }
                await log.follow("beats", sensor.measurements, atMost: 3)
                strap.modify { $0.setBattery(percent: 50) }
                await log.pass(.seconds(2))
                group.addTask { await log.follow("reports", sensor.reports) }
                await log.pass(.seconds(2))
                strap.modify { $0.takeOff() }
                strap.modify { $0.send([0x10, 60, 1]) }
                await log.pass(.seconds(3))
                await log.attempt("connected") { try await sensor.waitUntilConnected() }
                await sensor.disconnect()
                await group.waitForAll()
            }
            await log.attempt("battery") { try await sensor.battery() }
            await log.attempt("connected") { try await sensor.waitUntilConnected() }
            await log.follow("reports", sensor.reports)
            await log.follow("battery", sensor.batteryCharges)
            await log.follow("states", sensor.connectionStates)
        }
    }

    private static func listen(
        _ sensor: HeartRateSensor, _ log: LifeLog, in group: inout TaskGroup<Void>
    ) {
        group.addTask { await log.follow("states", sensor.connectionStates) }
        group.addTask { await log.follow("beats", sensor.measurements) }
        group.addTask { await log.follow("reports", sensor.reports) }
        group.addTask { await log.follow("battery", sensor.batteryCharges) }
    }

    @Test func theAdapterIsSwitchedOffAndOn() throws {
        try live("SensorAdapter") { air, log in
            air.add(Self.steady())
            let bluetooth = log.bluetooth
            air.setAdapterState(.poweredOff)
            await log.attempt("connect") { try await HeartRateSensor.connect(over: bluetooth) }
            air.setAdapterState(.poweredOn)
            let sensor = try await HeartRateSensor.connect(over: bluetooth)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(sensor, log, in: &group)
                await log.pass(.seconds(3))
                air.setAdapterState(.poweredOff)
                await log.pass(.seconds(6))
                air.setAdapterState(.poweredOn)
                await log.attempt("connected") { try await sensor.waitUntilConnected() }
                await log.attempt("battery") { try await sensor.battery() }
                await sensor.disconnect()
                await group.waitForAll()
            }
        }
    }

    @Test func reconnectingEndsAsThePolicySays() throws {
        try live("SensorGivenUp") { air, log in
            let strap = air.add(Self.steady())
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(
                attempts: 4, firstDelay: .milliseconds(500), factor: 3, longestDelay: .seconds(4),
                attemptTimeout: .seconds(3))
            let sensor = try await HeartRateSensor.connect(over: log.bluetooth, options: options)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(sensor, log, in: &group)
                await log.pass(.seconds(3))
                log.note("out of reach")
                strap.moveAway()
                await log.attempt("battery") { try await sensor.battery() }
                await log.attempt("energy") { try await sensor.resetEnergy() }
                for _ in 0..<5 {
                    await log.pass(.seconds(1))
                    log.note("\(sensor), link \(sensor.link == nil ? "gone" : "there")")
                }
                await log.attempt("location") { try await sensor.location() }
                await log.attempt("connected") { try await sensor.waitUntilConnected() }
                await group.waitForAll()
            }
            await log.attempt("connected") { try await sensor.waitUntilConnected() }
            await log.follow("reports", sensor.reports)
            await sensor.disconnect()
        }
    }

    @Test func aSensorThatComesBackIsReconnected() throws {
        try live("SensorBack") { air, log in
            let strap = air.add(Self.steady())
            let sensor = try await HeartRateSensor.connect(over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(sensor, log, in: &group)
                await log.pass(.seconds(3))
                for seconds in [12, 40] {
                    log.note("out of reach")
                    strap.moveAway()
                    await log.pass(.seconds(seconds))
                    log.note("back")
                    strap.comeBack()
                    await log.attempt("connected") { try await sensor.waitUntilConnected() }
                    await log.pass(.seconds(3))
                }
                await sensor.disconnect()
                await group.waitForAll()
            }
        }
    }

    @Test func aSensorFallsSilent() throws {
        try live("SensorSilent") { air, log in
            let script = try (60...62).map { try HeartRateMeasurement(beatsPerMinute: $0) }
            let strap = air.add(VirtualHeartRateSensor(playing: script))
            var options = HeartRateSensorOptions()
            options.silenceTimeout = .seconds(4)
            let sensor = try await HeartRateSensor.connect(over: log.bluetooth, options: options)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("beats", sensor.measurements) }
                group.addTask { await log.follow("reports", sensor.reports) }
                await group.waitForAll()
            }
            strap.modify { $0.beat(atBeatsPerMinute: 70) }
            await log.follow("beats", sensor.measurements, atMost: 6)
            await log.pass(.seconds(10))
            await sensor.disconnect()
            options.silenceTimeout = nil
            let patient = try await HeartRateSensor.connect(
                to: strap.identity, over: log.bluetooth, options: options)
            strap.modify { $0.play(script) }
            _ = await RingCancellationTests.cancel(after: .seconds(100), on: air) {
                await log.follow("beats", patient.measurements)
            }
            await patient.disconnect()
        }
    }

    /// A strap whose services take time to discover if it has many, and change on demand.
    struct ChangingStrap: GATTPeripheral {
        var strap = HeartRateSensorLifeTests.steady()
        var furtherServices = 0
        private var hasChanged = false

        init(furtherServices: Int) { self.furtherServices = furtherServices }

        var services: [GATTService] {
            (0..<UInt32(furtherServices)).map {
                GATTService(BluetoothUUID(0xAA00 + $0), characteristics: [])
            } + strap.services
        }

        mutating func changeServices() { hasChanged = true }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            strap.handle(event, at: now, into: &effects)
            if hasChanged { effects.append(.servicesChanged) }
            hasChanged = false
        }
    }

    @Test func servicesChange() throws {
        try live("SensorServices") { air, log in
            let strap = air.add(ChangingStrap(furtherServices: 2))
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(attempts: 1, attemptTimeout: .seconds(8))
            _ = air.time.schedule(at: .origin + .milliseconds(500)) {
                log.note("the sensor changes")
                strap.modify { $0.changeServices() }
            }
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: log.bluetooth, options: options)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(sensor, log, in: &group)
                await log.pass(.seconds(2))
                for wait in [6_000, 200, 100] {
                    log.note("the sensor changes")
                    strap.modify { $0.changeServices() }
                    await log.pass(.milliseconds(wait))
                }
                await log.attempt("battery") { try await sensor.battery() }
                await log.pass(.seconds(4))
                log.note("there are more services than can be found in time")
                strap.modify { strap in
                    strap.furtherServices = 60
                    strap.changeServices()
                }
                await group.waitForAll()
            }
        }
    }

    @Test(arguments: [
        ("Refused", LinkFault.refusal(.unlikely)), ("Stale", .refusal(.invalidHandle)),
        ("Silent", .silence),
    ])
    func aSubscriptionFails(_ name: String, _ fault: LinkFault) throws {
        let plan = FaultPlan(rules: [FaultRule(fault, .subscription(1))])
        try live("Sensor\(name)Subscription", faults: plan) { air, log in
            let strap = air.add(Self.steady())
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("states", sensor.connectionStates) }
                await log.follow("beats", sensor.measurements, atMost: 2)
                await log.follow("beats", sensor.measurements, atMost: 2)
                await log.attempt("battery") { try await sensor.battery() }
                await sensor.disconnect()
                await group.waitForAll()
            }
        }
    }

    @Test func aSensorThatIsNotThere() throws {
        let connection = FaultRule(.failedConnection, .connection(1))
        try live("SensorNotThere", faults: FaultPlan(rules: [connection])) { air, log in
            let strap = air.add(Self.steady())
            var options = HeartRateSensorOptions()
            options.connectTimeout = .seconds(5)
            options.findTimeout = .seconds(3)
            let bluetooth = log.bluetooth
            await log.attempt("connect, and fail") {
                try await HeartRateSensor.connect(
                    to: strap.identity, over: bluetooth, options: options)
            }
            strap.moveAway()
            await log.attempt("connect out of reach") {
                try await HeartRateSensor.connect(
                    to: strap.identity, over: bluetooth, options: options)
            }
            await log.attempt("connect to any") {
                try await HeartRateSensor.connect(over: bluetooth, options: options)
            }
            let impostor = air.add(Impostor(.services([StandardServices.heartRate])))
            await log.attempt("connect to an impostor") {
                try await HeartRateSensor.connect(
                    to: impostor.identity, over: bluetooth, options: options)
            }
            strap.comeBack()
            await log.attempt("connect to the right one") {
                try await withHeartRateSensor(over: bluetooth, options: options) { sensor in
                    try await sensor.battery()
                }
            }
            for milliseconds in [0, 40, 300, 500] {
                let options = options
                let end = await RingCancellationTests.cancel(
                    after: .milliseconds(milliseconds), on: air
                ) {
                    _ = try await HeartRateSensor.connect(
                        to: strap.identity, over: bluetooth, options: options)
                }
                log.note("left after \(milliseconds) ms: \(end.map { "\($0)" } ?? "connected")")
                await log.pass(.seconds(1))
            }
        }
    }
}
