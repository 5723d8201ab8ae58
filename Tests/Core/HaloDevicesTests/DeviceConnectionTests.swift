import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Rows of the connection's table in which two events meet.
@Suite(.passesTime) struct DeviceConnectionTests {
    // MARK: Timers and waits

    @Test func aTimeoutThatComesTooLateIsIgnored() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let time = HeardTime(base: air.time, ringsWhenCancelled: true)
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: OtherTime(base: air, time: time))
            #expect(sensor.connectionState == .connected)
            var beats = sensor.measurements.makeAsyncIterator()
            for _ in 0..<3 { #expect(try await beats.next() != nil) }
            #expect(strap.isConnected)
            await sensor.disconnect()
        }
    }

    @Test func ofSeveralTasksThatWaitTheCancelledOneIsResumed() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let sensor = try await HeartRateSensor.connect(over: air)
            strap.moveAway()
            try await air.clock.sleep(for: .seconds(20))
            let ends = Box<[String]>([])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        let wait: @Sendable () async throws -> Void = {
                            try await sensor.waitUntilConnected()
                        }
                        var end: DeviceError.Kind?
                        if number == 2 {
                            end = await RingCancellationTests.cancel(
                                after: .seconds(1), on: air, wait)
                        } else {
                            end = await kind(wait)
                        }
                        let words = end.map { $0 == .cancelled ? "cancelled" : "over" } ?? "ready"
                        ends.change { $0.append("\(number) \(words)") }
                    }
                }
                try? await air.clock.sleep(for: .seconds(5))
                await sensor.disconnect()
            }
            #expect(ends.value.first == "2 cancelled")
            #expect(ends.value.dropFirst() == ["0 over", "1 over", "3 over", "4 over"])
        }
    }

    @Test func aHistoryThatWaitsForMidnightLeavesNoTimer() throws {
        let start = CivilDateTime(secondsSince1970: 20_459 * 86_400 - 90)
        try virtually(startingAt: start) { air in
            let log = LifeLog(air)
            air.add(VirtualRing(.r10, days: 1))
            let ring = try await Ring.connect(over: log.bluetooth)
            try await air.clock.sleep(until: VirtualClock.Instant(.origin + .seconds(87)))
            let end = await RingCancellationTests.cancel(after: .milliseconds(500), on: air) {
                _ = try await ring.history(days: 1)
            }
            #expect(end == .cancelled)
            #expect(ring.connection.read { $0.operations.openCount } < 8)
            await ring.disconnect()
            await log.pass(.seconds(10))
            #expect(log.leftovers == [])
        }
    }

    /// A link may read its connection while it is released: it is not released under the lock.
    @Test func aReleasedLinkMayReadItsConnection() throws {
        for step in 0..<40 {
            try virtually { air in
                let ring = Box<Ring?>(nil)
                let looks = Box(0)
                let log = LifeLog(air) {
                    if ring.value?.connectionState != nil { looks.change { $0 += 1 } }
                }
                let worn = air.add(OddRing(furtherServices: 3))
                let own = Ring(to: worn.identity, over: log.bluetooth, RingOptions())
                ring.value = own
                let end = await RingCancellationTests.cancel(
                    after: .milliseconds(50 + step * 150), on: air
                ) {
                    try await own.connection.connect(within: .seconds(20))
                    for change in 0..<3 {
                        worn.modify { $0.changeServices() }
                        try await air.clock.sleep(for: .milliseconds(200 + change * 300))
                    }
                    try await air.clock.sleep(for: .seconds(60))
                }
                #expect(end == .cancelled || end == nil)
                await own.disconnect()
                await log.pass(.seconds(10))
                #expect(step < 3 || looks.value > 0)
                ring.value = nil
            }
        }
    }

    /// A task that is cancelled after it was resumed with the connection keeps it.
    @Test func aTaskThatIsCancelledTooLateIsConnected() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let sensor = HeartRateSensor(
                to: strap.identity, over: air, HeartRateSensorOptions())
            let states = sensor.connection.stateLoop(holding: sensor)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await sensor.connection.connect(within: .seconds(30)) }
                while let told = try await states.next(), told != .connected {}
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(sensor.connectionState == .connected)
            _ = try await sensor.battery()
            await sensor.disconnect()
        }
    }

    // MARK: Reasons

    /// Requests have the reason of the lost link until there is another link.
    @Test func theReasonOfALossIsKept() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            bench.worn.moveAway()
            var attempts: Set<Int> = []
            for _ in 0..<150 {
                try await bench.pass(.milliseconds(500))
                guard case .reconnecting(let attempt) = ring.connectionState else { continue }
                attempts.insert(attempt)
                let error = await #expect(throws: DeviceError.self) {
                    _ = try await ring.battery()
                }
                #expect(error?.disconnectReason?.kind == .outOfReach, "attempt \(attempt)")
            }
            #expect(attempts.isSuperset(of: [0, 1, 2]))
            await ring.disconnect()
        }
    }

    @Test(arguments: [true, false])
    func disconnectingWaitsUntilTheLinkIsClosed(_ isStrap: Bool) throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let sensor = try await HeartRateSensor.connect(to: strap.identity, over: air)
            await withTaskGroup(of: Void.self) { group in
                for count in 0..<3 {
                    group.addTask {
                        try? await air.clock.sleep(for: .milliseconds(count))
                        if isStrap {
                            await sensor.disconnect()
                            #expect(!strap.isConnected)
                        } else {
                            await bench.ring.disconnect()
                            #expect(!bench.worn.isConnected)
                        }
                    }
                }
            }
            await sensor.disconnect()
            await bench.ring.disconnect()
        }
    }

    // MARK: Renewals

    /// Closes or loses the link at a moment after the services have changed.
    private static func changed(
        _ air: VirtualBluetooth, isClosed: Bool, after delay: Duration
    ) async throws {
        let faults = isClosed ? "closed" : "lost"
        let worn = air.add(OddRing(furtherServices: 5))
        let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 5))
        let ring = try await Ring.connect(to: worn.identity, over: air)
        let sensor = try await HeartRateSensor.connect(to: strap.identity, over: air)
        worn.modify { $0.changeServices() }
        strap.modify { $0.changeServices() }
        try await air.clock.sleep(for: delay)
        if isClosed {
            ring.link?.close()
            sensor.link?.close()
        } else {
            worn.moveAway()
            strap.moveAway()
            try await air.clock.sleep(for: .seconds(30))
            worn.comeBack()
            strap.comeBack()
        }
        try await air.clock.sleep(for: .seconds(60))
        for state in [ring.connectionState, sensor.connectionState] {
            if case .disconnected(let error) = state {
                #expect(
                    isClosed && error.disconnectReason?.kind == .local, "\(faults) after \(delay)")
            } else {
                #expect(!isClosed && state == .connected, "\(faults) after \(delay): \(state)")
            }
        }
        await ring.disconnect()
        await sensor.disconnect()
    }

    @Test(arguments: [true, false])
    func aLinkEndsAtEveryMomentOfARenewal(isClosed: Bool) throws {
        for step in 0..<16 {
            try virtually { air in
                try await Self.changed(
                    air, isClosed: isClosed, after: .milliseconds(step * 173))
            }
        }
    }

    /// Loops that begin during a renewal are subscribed for after it.
    @Test func aLoopThatBeginsDuringARenewalReceivesValues() throws {
        let renewals = Box(0)
        defer { #expect(renewals.value > 3) }
        for step in 0..<12 {
            try virtually { air in
                let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 5))
                var options = HeartRateSensorOptions()
                options.silenceTimeout = nil
                let sensor = try await HeartRateSensor.connect(
                    to: strap.identity, over: air, options: options)
                strap.modify { strap in
                    strap.furtherServices = 6
                    strap.changeServices()
                }
                try await air.clock.sleep(for: .milliseconds(step * 250))
                let early = sensor.batteryCharges.makeAsyncIterator()
                sensor.connection.read { state in
                    guard case .renewing(let open) = state.phase else { return }
                    // The attributes that were found before may not exist any more.
                    #expect(open.subscriptions.isEmpty)
                    renewals.change { $0 += 1 }
                }
                withExtendedLifetime(early) {}
                let end = await RingCancellationTests.cancel(after: .seconds(60), on: air) {
                    var beats = sensor.measurements.makeAsyncIterator()
                    for _ in 0..<2 {
                        let beat = try await beats.next()
                        #expect(beat != nil, "step \(step)")
                    }
                }
                #expect(end == nil)
                await sensor.disconnect()
            }
        }
    }

    /// A subscription that fails because its attribute is gone ends its loop, also without a
    /// timeout of silence.
    @Test func aStaleSubscriptionEndsItsLoop() throws {
        let plan = FaultPlan(rules: [FaultRule(.refusal(.invalidHandle), .subscription(1))])
        try virtually(faults: plan) { air in
            air.add(VirtualHeartRateSensor(location: .chest))
            var options = HeartRateSensorOptions()
            options.silenceTimeout = nil
            let sensor = try await HeartRateSensor.connect(over: air, options: options)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                for try await _ in sensor.measurements {}
            }
            #expect(error?.bleError?.attError == .invalidHandle)
            #expect(air.time.now().duration(since: start) < .seconds(3))
            var beats = sensor.measurements.makeAsyncIterator()
            #expect(try await beats.next() != nil)
            await sensor.disconnect()
        }
    }

    /// Without reconnecting, states, loops and tasks that wait end with the same error.
    @Test func allEndWithTheSameError() throws {
        try virtually { air in
            let worn = air.add(OddRing(furtherServices: 30))
            var options = RingOptions()
            options.reconnect = ReconnectPolicy(attempts: 0, attemptTimeout: .seconds(1))
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            let found = Box<[DeviceError?]>([])
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let error = await #expect(throws: DeviceError.self) {
                        for try await _ in ring.reports(of: .heartRate, repeating: true) {}
                    }
                    found.change { $0.append(error) }
                }
                group.addTask {
                    var states = ring.connectionStates.makeAsyncIterator()
                    var last: ConnectionState?
                    while let state = try? await states.next() { last = state }
                    guard case .disconnected(let error)? = last else { return }
                    found.change { $0.append(error) }
                }
                try? await air.clock.sleep(for: .seconds(3))
                worn.modify { $0.changeServices() }
            }
            let late = await #expect(throws: DeviceError.self) {
                try await ring.waitUntilConnected()
            }
            found.change { $0.append(late) }
            #expect(found.value.count == 3)
            #expect(Set(found.value).count == 1)
            #expect(found.value.first??.bleError?.operation == .discover)
        }
    }

    /// During a renewal, device information is read from the new services.
    @Test func informationIsCompleteDuringARenewal() throws {
        let renewals = Box(0)
        defer { #expect(renewals.value > 3) }
        for step in 0..<12 {
            try virtually { air in
                let worn = air.add(OddRing())
                let ring = try await Ring.connect(to: worn.identity, over: air)
                let whole = try await ring.deviceInformation()
                #expect(whole != DeviceInformation())
                worn.modify { $0.changeServices() }
                try await air.clock.sleep(for: .milliseconds(step * 100))
                if case .renewing = ring.connection.read({ $0.phase }) {
                    renewals.change { $0 += 1 }
                    #expect(try await ring.deviceInformation() == whole, "step \(step)")
                }
                await ring.disconnect()
            }
        }
    }

    /// Services that change during each discovery: earlier discoveries are cancelled, and do not
    /// pile up.
    @Test func manyChangesDuringDiscoveryDoNoHarm() throws {
        try virtually { air in
            let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 5))
            let sensor = try await HeartRateSensor.connect(to: strap.identity, over: air)
            for _ in 0..<600 {
                strap.modify { $0.changeServices() }
                try await air.clock.sleep(for: .milliseconds(5))
            }
            #expect(sensor.connectionState == .connected)
            var beats = sensor.measurements.makeAsyncIterator()
            #expect(try await beats.next() != nil)
            await sensor.disconnect()
        }
    }

    /// While Bluetooth is off, each attempt fails at once.
    @Test func attemptsThatFailAtOnceAreApart() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(firstDelay: .zero)
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: air, options: options)
            air.setAdapterState(.poweredOff)
            try await air.clock.sleep(for: .seconds(10))
            guard case .reconnecting(let attempt) = sensor.connectionState else {
                Issue.record("\(sensor.connectionState)")
                return
            }
            #expect(90...101 ~= attempt)
            air.setAdapterState(.poweredOn)
            try await sensor.waitUntilConnected()
            await sensor.disconnect()
        }
    }

    // MARK: Loops while the device is away

    @Test func noSubscriptionForALoopThatWasLeftWhileTheDeviceWasAway() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let sensor = try await HeartRateSensor.connect(over: air)
            strap.moveAway()
            try await air.clock.sleep(for: .seconds(20))
            #expect(!sensor.connectionState.isConnected)
            let end = await RingCancellationTests.cancel(after: .seconds(1), on: air) {
                for try await _ in sensor.measurements {}
            }
            #expect(end == nil)
            strap.comeBack()
            try await sensor.waitUntilConnected()
            try await air.clock.sleep(for: .seconds(5))
            #expect(sensor.connection.read { $0.phase.openLink?.subscriptions.isEmpty } == true)
            await sensor.disconnect()
        }
    }
}
