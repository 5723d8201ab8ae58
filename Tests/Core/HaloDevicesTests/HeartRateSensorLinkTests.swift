import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The link of a heart-rate sensor.
@Suite(.passesTime) struct HeartRateSensorLinkTests {
    private struct Interruption: Error {}

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
        #expect(error?.disconnectReason?.kind == .local)
        let late = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.reports { Issue.record("nothing comes after the end") }
        }
        #expect(late?.disconnectReason?.kind == .local)
        await sensor.disconnect()
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
        #expect(error?.disconnectReason?.kind == .outOfReach)
        let again = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.measurements {}
        }
        #expect(again?.kind == .disconnected)
        let connected = await #expect(throws: DeviceError.self) {
            try await sensor.waitUntilConnected()
        }
        #expect(connected?.kind == .disconnected)
        var states: [ConnectionState] = []
        for try await state in sensor.connectionStates { states.append(state) }
        #expect(states.count == 1)
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
