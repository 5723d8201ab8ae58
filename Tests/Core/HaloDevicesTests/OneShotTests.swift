import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// A measurement now: limited in time, and always stopped on the ring.
@Suite(.passesTime) struct OneShotTests {
    /// Measures a heart rate during a body, and returns the error.
    private static func measured(
        _ ring: Ring, _ body: () async throws -> Void
    ) async throws -> DeviceError? {
        try await withThrowingTaskGroup(of: DeviceError?.self) { group in
            group.addTask {
                do throws(DeviceError) {
                    _ = try await ring.measureHeartRate()
                    return nil
                } catch {
                    return error
                }
            }
            try await body()
            return try await group.next() ?? nil
        }
    }

    @Test func eachQuantityIsMeasuredAndStopped() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air, .r12)
            let ring = bench.ring
            let start = air.time.now()
            #expect(40...180 ~= (try await ring.measureHeartRate()).beatsPerMinute)
            #expect(85...100 ~= (try await ring.measureBloodOxygen()).percent)
            #expect(1...100 ~= (try await ring.measureStress()).score)
            #expect(5...200 ~= (try await ring.measureHeartRateVariability()).milliseconds)
            #expect(air.time.now().duration(since: start) < .seconds(240))
            try await bench.pass(.seconds(2))
            #expect(bench.worn.state?.link?.measurement == nil)
        }
    }

    @Test func aHealthCheckHasBothValues() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air, .h59)
            let check = try await bench.ring.measureHealthCheck()
            #expect(40...180 ~= check.beatsPerMinute)
            #expect(check.bloodPressure != nil)
        }
    }

    @Test func aTimeoutStopsTheMeasurement() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                try await bench.ring.measureHeartRate(timeout: .seconds(5))
            }
            #expect(error?.kind == .timedOut)
            #expect(error?.command == RealtimeMeasurement.name)
            #expect(air.time.now().duration(since: start) == .seconds(5))
            try await bench.pass(.seconds(2))
            #expect(bench.worn.state?.link?.measurement == nil)
            #expect(try await bench.ring.battery().percent == 80)
        }
    }

    @Test func cancellingStopsTheMeasurement() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let end = await RingCancellationTests.cancel(after: .seconds(3), on: air) {
                _ = try await ring.measureHeartRate()
            }
            #expect(end == .cancelled)
            #expect(bench.worn.state?.link?.measurement != nil)
            try await bench.pass(.seconds(2))
            #expect(bench.worn.state?.link?.measurement == nil)
        }
    }

    @Test func aRingThatIsNotWornSaysSo() throws {
        try virtually { air in
            var profile = RingProfile.r02
            profile.quirks.insert(.reportsNotWorn)
            let bench = try await RingBench.connected(
                in: air, profile, device: VirtualRingOptions(isWorn: false))
            let end = await kind { _ = try await bench.ring.measureHeartRate() }
            #expect(end == .notWorn || end == .timedOut, "\(String(describing: end))")
            try await bench.pass(.seconds(2))
            #expect(bench.worn.state?.link?.measurement == nil)
        }
    }

    @Test func aLostLinkEndsIt() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let end = try await Self.measured(ring) {
                try await bench.pass(.seconds(3))
                air.setAdapterState(.poweredOff)
            }
            #expect(end?.kind == .disconnected)
            #expect(end?.disconnectReason?.kind == .adapterGone)
            #expect(end?.command == RealtimeMeasurement.name)
            #expect(await kind { _ = try await ring.measureHeartRate() } == .disconnected)
        }
    }

    /// The ring has not said that it has no value.
    @Test func disconnectingEndsIt() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let end = try await Self.measured(ring) {
                try await bench.pass(.seconds(3))
                await ring.disconnect()
            }
            #expect(end?.kind == .disconnected)
            #expect(end?.disconnectReason?.kind == .local)
        }
    }

    @Test func anotherMeasurementReplacesIt() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let end = try await Self.measured(ring) {
                try await bench.pass(.seconds(3))
                #expect(1...100 ~= (try await ring.measureStress()).score)
            }
            #expect(end?.kind == .replaced)
        }
    }

    @Test func nothingIsLeftOfIt() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            try await bench.pass(.seconds(10))
            let before = bench.ring.connection.read { $0.operations.openCount }
            _ = try await bench.ring.measureHeartRate()
            for _ in 0..<5 {
                _ = await kind { _ = try await bench.ring.measureStress(timeout: .zero) }
            }
            try await bench.pass(.seconds(10))
            #expect(bench.ring.connection.read { $0.operations.openCount } <= before)
        }
    }
}
