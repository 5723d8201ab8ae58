import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The timeouts of connecting to a sensor, and of reconnecting.
@Suite(.passesTime) struct HeartRateSensorTimeoutTests {
    @Test(arguments: [1, 3, 9])
    func connectingEndsInTime(seconds: Int) throws {
        try virtually { air in
            let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 40))
            var options = HeartRateSensorOptions()
            options.connectTimeout = .seconds(seconds)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                _ = try await HeartRateSensor.connect(
                    to: strap.identity, over: air, options: options)
            }
            #expect(error?.kind == .timedOut)
            #expect(air.time.now().duration(since: start) == .seconds(seconds))
            try await air.clock.sleep(for: .seconds(2))
            #expect(!strap.isConnected)
        }
    }

    /// With a policy that waits for the device, the timeout begins with the link.
    @Test func theFirstAttemptEndsAfterItsTimeOnTheLink() throws {
        try virtually { air in
            let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 40))
            strap.moveAway()
            let back = Moment.origin + .seconds(7200)
            _ = air.time.schedule(at: back) { strap.comeBack() }
            var options = HeartRateSensorOptions()
            options.reconnect = .whenInReach
            options.connectTimeout = .seconds(3)
            let error = await #expect(throws: DeviceError.self) {
                _ = try await HeartRateSensor.connect(
                    to: strap.identity, over: air, options: options)
            }
            #expect(error?.kind == .timedOut)
            let took = air.time.now().duration(since: back)
            #expect(took >= .seconds(3) && took < .seconds(8), "\(took)")
        }
    }

    @Test func eachFurtherAttemptHasTheTimeoutOfThePolicy() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            var options = HeartRateSensorOptions()
            options.connectTimeout = .seconds(60)
            options.reconnect = ReconnectPolicy(
                attempts: 3, firstDelay: .seconds(1), factor: 1, attemptTimeout: .seconds(7))
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: air, options: options)
            strap.moveAway()
            var moments: [Moment] = []
            for try await state in sensor.connectionStates {
                if state != .connected { moments.append(air.time.now()) }
            }
            let gaps = zip(moments, moments.dropFirst()).map { $1.duration(since: $0) }
            #expect(gaps == [.seconds(8), .seconds(8), .seconds(8)])
        }
    }

    @Test func aRenewalThatTimesOutEndsTheLink() throws {
        try virtually { air in
            let strap = air.add(HeartRateSensorLifeTests.ChangingStrap(furtherServices: 5))
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(attempts: 1, attemptTimeout: .seconds(1))
            let sensor = try await HeartRateSensor.connect(
                to: strap.identity, over: air, options: options)
            strap.modify { $0.changeServices() }
            let start = air.time.now()
            for try await state in sensor.connectionStates where !state.isConnected { break }
            #expect(air.time.now().duration(since: start) < .seconds(2))
        }
    }
}
