import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Whole lives of rings with faults, as `Fixtures/Golden/Lives` has them.
@Suite(.passesTime) struct RingTroubleLifeTests {
    @Test func servicesChangeAllTheTime() throws {
        try live("RingServices") { air, log in
            let worn = air.add(OddRing(days: 0))
            for moment in [100, 700, 1_100] {
                _ = air.time.schedule(at: .origin + .milliseconds(moment)) {
                    log.note("the ring changes")
                    worn.modify { $0.changeServices() }
                }
            }
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            log.note("connected")
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("states", ring.connectionStates) }
                group.addTask {
                    await log.follow("stress", ring.reports(of: .stress, repeating: true))
                }
                await log.pass(.seconds(2))
                for wait in [0, 60, 900] {
                    log.note("the ring changes")
                    worn.modify { $0.changeServices() }
                    await log.pass(.milliseconds(wait))
                    await log.attempt("battery") { try await ring.battery() }
                }
                await ring.disconnect()
                await group.waitForAll()
            }
        }
    }

    @Test func servicesChangeWhileTheNextLinkIsPrepared() throws {
        let loss = Moment.origin + .seconds(40)
        let plan = FaultPlan(rules: [FaultRule(.disconnection, .at(loss))])
        try live("RingServicesNext", faults: plan) { air, log in
            let worn = air.add(OddRing(days: 1, furtherServices: 2))
            // During the attempt to connect, during discovery, and afterwards.
            for wait in [1_100, 1_500, 2_100, 6_000] {
                _ = air.time.schedule(at: loss + .milliseconds(wait)) {
                    log.note("the ring changes")
                    worn.modify { $0.changeServices() }
                }
            }
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            try await air.clock.sleep(until: VirtualClock.Instant(loss))
            await log.attempt("connected") { try await ring.waitUntilConnected() }
            await log.attempt("battery") { try await ring.battery() }
            await log.pass(.seconds(10))
            await log.attempt("battery") { try await ring.battery() }
            await ring.disconnect()
        }
    }

    @Test func servicesThatAreNotFoundAgainEndTheLink() throws {
        try live("RingServicesGone") { air, log in
            let worn = air.add(OddRing(days: 0, furtherServices: 12))
            var options = RingOptions()
            options.reconnect = ReconnectPolicy(attempts: 2, attemptTimeout: .seconds(5))
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: options)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow("states", ring.connectionStates) }
                await log.pass(.seconds(1))
                log.note("the ring changes")
                worn.modify { $0.changeServices() }
                await log.pass(.milliseconds(1_500))
                log.note("the ring changes")
                worn.modify { $0.changeServices() }
                await log.attempt("battery") { try await ring.battery() }
                await group.waitForAll()
            }
            await ring.disconnect()
        }
    }

    @Test func aRingThatDoesNotAnswer() throws {
        try live("RingDeaf") { air, log in
            let worn = air.add(OddRing(.nothing, days: 0))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            log.note("connected, clock \(ring.clock)")
            await log.attempt("battery") { try await ring.battery() }
            await log.attempt("stress") {
                try await ring.set(.stressLog, to: false)
            }
            await log.attempt("clock") { _ = try await ring.setClock() }
            await log.attempt("find me") { try await ring.findMe() }
            await log.attempt("heart rates") { try await ring.log(.heartRate, daysAgo: 0).count }
            await log.attempt("sleep") { try await ring.log(.sleep).count }
            await log.follow("raw sensors", ring.rawSensors)
            await log.attempt("workout") { _ = try await ring.startWorkout(.run) }
            log.note("clocks \(ring.clocks)")
            await ring.disconnect()
        }
    }

    @Test func theFirstRequestsAreAnsweredSlowly() throws {
        try live("RingDripping") { air, log in
            let worn = air.add(
                OddRing(.dripping([ActivityLog.opcode, HeartRateLog.opcode]), days: 1))
            var options = RingOptions()
            options.connectTimeout = .seconds(20)
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: options)
            log.note("connected, clock \(ring.clock)")
            await log.attempt("history") { try await ring.history(days: 1) }
            await ring.disconnect()
        }
    }

    private static let wrong = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))

    @Test(arguments: [("RingOldClock", 60), ("RingOldClockInHaste", 6)])
    func aWrongClockIsSetAfterEverythingWasRead(_ name: String, seconds: Int) throws {
        try live(name) { air, log in
            let worn = air.add(OddRing(days: 3, options: Self.wrong))
            var options = RingOptions.keeping()
            options.connectTimeout = .seconds(seconds)
            options.daysReadBeforeClockChange = 2
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: options)
            log.note("clock \(ring.clock)")
            log.note("clocks \(ring.clocks)")
            log.note("before: \(ring.historyBeforeClockChange.map { "\($0)" } ?? "nothing")")
            worn.moveAway()
            await log.pass(.seconds(10))
            worn.comeBack()
            await log.attempt("connected") { try await ring.waitUntilConnected() }
            log.note("clock \(ring.clock)")
            await log.attempt("history") { try await ring.history(days: 2) }
            await ring.disconnect()
        }
    }

    /// On the next link there is no time for the request of the day, so the clock that was
    /// confirmed on the last one is an assumption.
    @Test func aClockGoesWrongWhileTheRingIsAway() throws {
        try live("RingClockWrongLater") { air, log in
            let worn = air.add(OddRing(days: 3))
            var options = RingOptions.keeping()
            options.reconnect.attemptTimeout = .seconds(6)
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: options)
            log.note("clock \(ring.clock)")
            worn.moveAway()
            await log.pass(.seconds(10))
            worn.modify { $0.shiftClock(bySeconds: -5 * 86_400) }
            worn.comeBack()
            await log.attempt("connected") { try await ring.waitUntilConnected() }
            log.note("clock \(ring.clock)")
            log.note("before: \(ring.historyBeforeClockChange.map { "\($0)" } ?? "nothing")")
            await log.attempt("stress") { try await ring.log(.stress, daysAgo: 1).count }
            await ring.disconnect()
        }
    }

    @Test func aClockThatIsRefusedOrLeftAlone() throws {
        try live("RingClockRefused") { air, log in
            var profile = RingProfile.r10
            profile.commands = profile.commands.with(
                .refuses, "made up", for: SetTime.opcode, DeviceFunctions.opcode)
            let worn = air.add(VirtualRing(profile, days: 0))
            for (policy, days) in [
                (ClockPolicy.set(.local), 7), (.set(.utc), 0),
                (.leave(assuming: .secondsFromUTC(1800)), 7),
            ] {
                var options = RingOptions.keeping(clock: policy)
                options.daysReadBeforeClockChange = days
                let ring = try await Ring.connect(
                    to: worn.identity, over: log.bluetooth, options: options)
                log.note("clock \(ring.clock)")
                await log.attempt("clock") { _ = try await ring.setClock() }
                log.note("clocks \(ring.clocks)")
                await log.attempt("do not disturb") { try await ring.setting(.doNotDisturb) }
                await ring.disconnect()
            }
        }
    }

    @Test(arguments: [
        ("subscription", FaultTrigger.subscription(2)), ("read", .read(1)),
        ("first write", .write(1)), ("write", .write(4)),
    ])
    func operationsAreRefusedOrNeverAnswered(_ name: String, _ trigger: FaultTrigger) throws {
        for (end, fault) in [
            ("Refused", LinkFault.refusal(.unlikely)), ("Stale", .refusal(.invalidHandle)),
            ("Silent", .silence),
        ] {
            let plan = FaultPlan(rules: [FaultRule(fault, trigger)])
            let words = name.split(separator: " ").map {
                $0.prefix(1).uppercased() + $0.dropFirst()
            }
            let file = "Ring\(end)\(words.joined())"
            try live(file, faults: plan) { air, log in
                let worn = air.add(VirtualRing(.r10, days: 0))
                var options = RingOptions()
                options.connectTimeout = .seconds(20)
                await log.attempt("connect") {
                    let ring = try await Ring.connect(
                        to: worn.identity, over: log.bluetooth, options: options)
                    log.note("connected")
                    await log.attempt("battery") { try await ring.battery() }
                    await log.pass(.seconds(40))
                    await log.attempt("battery") { try await ring.battery() }
                    await ring.disconnect()
                }
            }
        }
    }

    @Test func aRingThatIsNotThere() throws {
        let connection = FaultRule(.failedConnection, .connection(1))
        try live("RingNotThere", faults: FaultPlan(rules: [connection])) { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            var options = RingOptions()
            options.connectTimeout = .seconds(5)
            let bluetooth = log.bluetooth
            await log.attempt("connect, and fail") {
                try await Ring.connect(to: worn.identity, over: bluetooth, options: options)
            }
            worn.moveAway()
            await log.attempt("connect out of reach") {
                try await Ring.connect(to: worn.identity, over: bluetooth, options: options)
            }
            options.findTimeout = .seconds(3)
            await log.attempt("find") { try await Ring.find(over: bluetooth, options: options) }
            await log.attempt("connect to any") {
                try await Ring.connect(over: bluetooth, options: options)
            }
            let other = air.add(Impostor(.named("SE")))
            await log.attempt("connect to an impostor") {
                try await Ring.connect(to: other.identity, over: bluetooth, options: options)
            }
        }
    }

    @Test func candidatesAreTriedOneByOne() throws {
        try live("RingCandidates") { air, log in
            for metres in [1, 4] {
                air.add(Impostor(.named("SE")), at: AirPlacement(distanceCentimetres: metres * 100))
            }
            let worn = air.add(VirtualRing(.r10, days: 0))
            worn.moveAway()
            _ = air.time.schedule(at: .origin + .seconds(9)) { worn.comeBack() }
            let ring = try await Ring.connect(over: log.bluetooth)
            await ring.disconnect()
        }
    }

    @Test func aProgramReleasesTheRing() throws {
        try live("RingLeft") { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            struct Interruption: Error {}
            await log.attempt("with ring") {
                try await withRing(worn.identity, over: log.bluetooth) { ring in
                    try await ring.battery()
                }
            }
            await log.attempt("with ring") {
                try await withRing(over: log.bluetooth) { _ in throw Interruption() }
            }
            for milliseconds in [0, 40, 900, 1_300, 1_500] {
                let end = await RingCancellationTests.cancel(
                    after: .milliseconds(milliseconds), on: air
                ) {
                    _ = try await Ring.connect(to: worn.identity, over: log.bluetooth)
                }
                log.note("left after \(milliseconds) ms: \(end.map { "\($0)" } ?? "connected")")
                await log.pass(.seconds(1))
            }
        }
    }

    @Test func aLongRequestIsWrittenInPieces() throws {
        let short = FaultRule(.shortPackets, .connection())
        try live("RingShortPackets", faults: FaultPlan(rules: [short])) { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            let name = try Nickname.Request(text: Array(0..<50))
            await log.attempt("nickname") { try await ring.ask(name) }
            await log.attempt("battery") { try await ring.battery() }
            await ring.disconnect()
        }
    }
}
