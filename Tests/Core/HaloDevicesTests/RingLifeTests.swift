import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Whole lives of rings: each timer, operation and event, as `Fixtures/Golden/Lives` has them.
@Suite(.passesTime) struct RingLifeTests {
    @Test func aRingIsAskedForEverything() throws {
        try live("RingAsked") { air, log in
            air.add(VirtualRing(.r12, days: 2))
            try await withThrowingTaskGroup(of: Void.self) { group in
                let ring = try await Ring.connect(over: log.bluetooth)
                log.note("connected to \(ring)")
                group.addTask { await log.follow("states", ring.connectionStates) }
                group.addTask { await log.follow("events", ring.events) }
                await Self.askEverything(ring, log)
                await Self.readEverything(ring, log)
                await ring.disconnect()
                log.note("disconnected")
            }
        }
    }

    private static func askEverything(_ ring: Ring, _ log: LifeLog) async {
        log.note("firmware \(ring.firmware.map { "\($0)" } ?? "unknown")")
        log.note("hardware \(ring.hardware.map { "\($0)" } ?? "unknown")")
        log.note("clocks \(ring.clocks)")
        await log.attempt("battery") { try await ring.battery() }
        await log.attempt("information") { try await ring.deviceInformation() }
        await log.attempt("find me") { try await ring.findMe() }
        await log.attempt("blink") { try await ring.blink() }
        await log.attempt("goals") { try await ring.setting(.goals) }
        await log.attempt("stress") { try await ring.set(.stressLog, to: false) }
        await log.attempt("do not disturb") { try await ring.setting(.doNotDisturb) }
        await log.attempt("clock") { _ = try await ring.setClock(.secondsFromUTC(7200)) }
        log.note("clocks \(ring.clocks)")
    }

    private static func readEverything(_ ring: Ring, _ log: LifeLog) async {
        await log.attempt("heart rates") { try await words(ring.log(.heartRate, daysAgo: 1)) }
        await log.attempt("stress") { try await words(ring.log(.stress, daysAgo: 1)) }
        await log.attempt("variability") {
            try await words(ring.log(.heartRateVariability, daysAgo: 1))
        }
        await log.attempt("activity") { try await words(ring.log(.activity, daysAgo: 1)) }
        await log.attempt("blood oxygen") { try await words(ring.log(.bloodOxygen)) }
        await log.attempt("temperatures") { try await words(ring.log(.temperature)) }
        await log.attempt("sleep") { try await ring.log(.sleep) }
        await log.attempt("workouts") { try await ring.log(.workouts) }
        await log.attempt("totals") { try await ring.totals() }
        await log.attempt("history") {
            try await ring.history(days: 2) { log.note("history: \($0), \($0.fraction)") }
        }
    }

    /// The number of samples, with the first and the last one.
    private static func words<Value>(_ samples: [TimedSample<Value>]) -> String {
        let ends = [samples.first, samples.last].compactMap { $0 }
        return "\(samples.count), \(ends.map { "\($0) at \($0.secondsFromUTC ?? -1)" })"
    }

    @Test func aRingMeasures() throws {
        try live("RingMeasuring") { air, log in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let ring = try await Ring.connect(over: log.bluetooth)
            await log.follow("heart rate", ring.measure(.heartRate))
            await log.follow("stress", ring.reports(of: .stress), atMost: 3)
            await log.pass(.seconds(3))
            await log.follow("heart rates", ring.measure(.heartRate, repeating: true), atMost: 40)
            await log.follow("raw sensors", ring.rawSensors, atMost: 2)
            await log.pass(.seconds(3))
            worn.modify { $0.takeOff() }
            await log.follow(
                "heart rate, not worn", ring.reports(of: .heartRateStream), atMost: 3)
            await log.follow("temperature", ring.reports(of: .temperature), atMost: 3)
            await ring.disconnect()
        }
    }

    @Test func aSecondMeasurementReplacesTheFirst() throws {
        try live("RingReplaced") { air, log in
            air.add(VirtualRing(.r10, days: 0))
            let ring = try await Ring.connect(over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("heart rate", ring.measure(.heartRate)) }
                await log.pass(.seconds(5))
                group.addTask {
                    await log.follow("stress", ring.measure(.stress, repeating: true), atMost: 2)
                }
                await log.pass(.seconds(5))
                await log.attempt("battery") { try await ring.battery() }
                await group.waitForAll()
            }
            await ring.disconnect()
        }
    }

    @Test func aWorkoutRunsAndIsPaused() throws {
        try live("RingWorkout") { air, log in
            air.add(VirtualRing(.r10, days: 0))
            let ring = try await Ring.connect(over: log.bluetooth)
            let run = try await ring.startWorkout(.run)
            log.note("started \(run.sport), \(run.key.map { "\($0)" } ?? "at no time")")
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("workout", run) }
                await log.pass(.seconds(6))
                run.pause()
                await log.pass(.seconds(4))
                run.resume()
                await log.pass(.seconds(3))
                run.end()
                await group.waitForAll()
            }
            await log.attempt("workouts") { try await ring.log(.workouts) }
            await log.attempt("second") { try await ring.startWorkout(.walk).sport }
            await log.pass(.seconds(3))
            await ring.disconnect()
        }
    }

    @Test func wavesAreGestures() throws {
        try live("RingGestures") { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            let ring = try await Ring.connect(over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("gestures", ring.gestures, atMost: 3) }
                group.addTask { await log.follow("events", ring.events) }
                await log.pass(.milliseconds(2_500))
                // The second wave comes too soon after the first to be a gesture of its own.
                for wait in [0, 2_900, 200, 3_000] {
                    await log.pass(.milliseconds(wait))
                    log.note("a wave")
                    worn.modify { $0.wave() }
                }
                await log.pass(.seconds(5))
                worn.modify { $0.findPhone() }
                worn.modify { $0.findPhone(isOn: false) }
                worn.modify { $0.setBattery(percent: 9) }
                await log.pass(.seconds(2))
                await ring.disconnect()
                await group.waitForAll()
            }
        }
    }

    /// Loops over all sequences of a ring at once.
    private static func listen(
        _ ring: Ring, _ log: LifeLog, in group: inout TaskGroup<Void>
    ) {
        group.addTask { await log.follow("states", ring.connectionStates) }
        group.addTask { await log.follow("events", ring.events) }
        group.addTask { await log.follow("gestures", ring.gestures) }
        group.addTask {
            await log.follow("stress", ring.reports(of: .stress, repeating: true))
        }
        group.addTask {
            await log.attempt("workout") {
                for try await progress in try await ring.startWorkout(.walk) {
                    log.note("workout: \(progress.seconds) s")
                }
            }
        }
    }

    @Test func reconnectingEndsAsThePolicySays() throws {
        try live("RingGivenUp") { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            var options = RingOptions()
            options.reconnect = ReconnectPolicy(
                attempts: 5, firstDelay: .milliseconds(500), factor: 3, longestDelay: .seconds(4),
                attemptTimeout: .seconds(3))
            let ring = try await Ring.connect(over: log.bluetooth, options: options)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(ring, log, in: &group)
                await log.pass(.seconds(4))
                log.note("out of reach")
                worn.moveAway()
                await log.attempt("battery") { try await ring.battery() }
                await log.pass(.seconds(7))
                log.note("\(ring), link \(ring.link == nil ? "gone" : "there")")
                await log.attempt("battery") { try await ring.battery() }
                await log.attempt("information") { try await ring.deviceInformation() }
                await log.attempt("workout") { _ = try await ring.startWorkout(.run) }
                await log.attempt("connected") { try await ring.waitUntilConnected() }
                await group.waitForAll()
            }
            await log.attempt("connected") { try await ring.waitUntilConnected() }
            await log.follow("events", ring.events)
            await log.follow("gestures", ring.gestures)
            await log.follow("heart rate", ring.measure(.heartRate))
            await ring.disconnect()
        }
    }

    @Test func aRingThatComesBackIsReconnected() throws {
        try live("RingBack") { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            let ring = try await Ring.connect(over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                Self.listen(ring, log, in: &group)
                await log.pass(.seconds(4))
                for seconds in [14, 40] {
                    log.note("out of reach")
                    worn.moveAway()
                    await log.pass(.seconds(seconds))
                    log.note("back")
                    worn.comeBack()
                    await log.attempt("connected") { try await ring.waitUntilConnected() }
                    await log.attempt("battery") { try await ring.battery() }
                    await log.pass(.seconds(3))
                }
                await ring.disconnect()
                await group.waitForAll()
            }
        }
    }

    @Test func theAdapterIsSwitchedOffAndOn() throws {
        try live("RingAdapter") { air, log in
            air.add(VirtualRing(.r02, days: 0))
            let bluetooth = log.bluetooth
            air.setAdapterState(.poweredOff)
            await log.attempt("connect") { try await Ring.connect(over: bluetooth) }
            air.setAdapterState(.poweredOn)
            let ring = try await Ring.connect(over: bluetooth)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("states", ring.connectionStates) }
                group.addTask { await log.attempt("history") { try await ring.history(days: 1) } }
                await log.pass(.milliseconds(500))
                air.setAdapterState(.poweredOff)
                await log.pass(.seconds(6))
                air.setAdapterState(.poweredOn)
                await log.attempt("connected") { try await ring.waitUntilConnected() }
                await log.attempt("battery") { try await ring.battery() }
                await ring.disconnect()
                await group.waitForAll()
            }
        }
    }
}
