import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The end of a loop over a heart-rate sensor, and loops that survive a lost link.
@Suite(.passesTime) struct HeartRateSensorEndingTests {
    @Test func cancellingTheLoopEndsTheMeasurementOnTheSensor() async throws {
        let air = VirtualBluetooth(seed: 10)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        let loop = Task {
            var count = 0
            for try await _ in sensor.measurements {
                count += 1
                if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        #expect(try await loop.value == 5)
        _ = try await sensor.battery()
        #expect(strap.state?.isMeasuring == false)
        #expect(sensor.connectionState == .connected)
    }

    @Test(arguments: 0..<40)
    func cancellingAtAnyMomentLeavesNothingBehind(step: Int) async throws {
        let air = VirtualBluetooth(seed: 11)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let work = Task {
            for await _ in gate { break }
            let sensor = try await HeartRateSensor.connect(to: strap.identity, over: air)
            _ = try await sensor.deviceInformation()
            _ = try await sensor.battery()
            try await sensor.resetEnergy()
            for try await _ in sensor.measurements {}
        }
        let end = air.time.now() + .milliseconds(73 * step)
        let timer = air.time.schedule(at: end) { work.cancel() }
        opening.yield()
        _ = await work.result
        #expect(air.time.now() == end)
        timer.cancel()
        try await air.clock.sleep(for: .seconds(30))
        #expect(!strap.isConnected)
    }

    /// `true` for errors that may end a loop: silence, and refused subscriptions.
    private static func endsLoops(_ error: DeviceError) -> Bool {
        error.kind == .silent || error.bleError?.kind == .refused
    }

    @Test(arguments: 0..<12)
    func goesOnMeasuringDespiteFaults(seed: UInt64) async throws {
        let air = VirtualBluetooth(
            seed: seed, faults: FaultPlan(seed: seed, rates: .all(perMille: 12)))
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        var options = HeartRateSensorOptions()
        options.silenceTimeout = .seconds(10)
        var sensor: HeartRateSensor?
        for _ in 0..<50 where sensor == nil {
            sensor = try? await HeartRateSensor.connect(
                to: strap.identity, over: air, options: options)
        }
        let connected = try #require(sensor)
        var count = 0
        for _ in 0..<500 where count < 300 {
            do {
                for try await _ in connected.measurements {
                    count += 1
                    if count == 300 { break }
                }
            } catch {
                #expect(Self.endsLoops(error), "\(error)")
            }
        }
        #expect(count == 300)
        #expect(air.faultLog.records.count > 5)
        await connected.disconnect()
        #expect(!strap.isConnected)
    }
}
