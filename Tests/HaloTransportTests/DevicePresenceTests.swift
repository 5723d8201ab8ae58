import HaloProtocol
import Testing

@testable import HaloTransport

/// Devices that are discovered, updated and lost.
@Suite struct DevicePresenceTests {
    private static func device(
        _ name: String = "R02", _ identity: String = "a", rssi: Int? = -60
    ) -> Discovery {
        Discovery(PeripheralIdentity(identity), name: name, rssi: rssi)
    }

    private static func moment(_ seconds: Int) -> Moment { .origin + .seconds(seconds) }

    private static func presence(
        minimumRSSI: Int? = nil, rssiStep: Int = 6
    ) -> DevicePresence {
        DevicePresence(minimumRSSI: minimumRSSI, lostAfter: .seconds(10), rssiStep: rssiStep)
    }

    @Test func aDeviceIsDiscoveredOnceAndLostOnce() {
        var presence = Self.presence()
        let device = Self.device()
        #expect(
            presence.receive(device, at: Self.moment(0)) == [PresenceChange(.discovered, device)])
        #expect(presence.receive(device, at: Self.moment(4)) == [])
        #expect(presence.deadline == Self.moment(14))
        #expect(presence.tick(at: Self.moment(13)) == [])
        #expect(presence.tick(at: Self.moment(14)) == [PresenceChange(.lost, device)])
        #expect(presence.deadline == nil)
        #expect(presence.tick(at: Self.moment(30)) == [])
        #expect(
            presence.receive(device, at: Self.moment(31)) == [PresenceChange(.discovered, device)])
    }

    @Test func aNewNameIsAnUpdate() {
        var presence = Self.presence()
        _ = presence.receive(Self.device(), at: Self.moment(0))
        let renamed = Self.device("R10")
        #expect(
            presence.receive(renamed, at: Self.moment(1)) == [PresenceChange(.updated, renamed)])
    }

    /// The step counts from the last report, not from the last advertisement.
    @Test func aSlowChangeOfTheRSSIIsAnUpdateInTheEnd() {
        var presence = Self.presence()
        _ = presence.receive(Self.device(rssi: -60), at: Self.moment(0))
        #expect(presence.receive(Self.device(rssi: -63), at: Self.moment(1)) == [])
        #expect(presence.receive(Self.device(rssi: -65), at: Self.moment(2)) == [])
        let far = Self.device(rssi: -66)
        #expect(presence.receive(far, at: Self.moment(3)) == [PresenceChange(.updated, far)])
        #expect(presence.receive(Self.device(rssi: -61), at: Self.moment(4)) == [])
        let near = Self.device(rssi: -60)
        #expect(presence.receive(near, at: Self.moment(5)) == [PresenceChange(.updated, near)])
    }

    @Test func withoutAStepEveryAdvertisementIsAnUpdate() {
        var presence = Self.presence(rssiStep: 0)
        let device = Self.device()
        _ = presence.receive(device, at: Self.moment(0))
        #expect(
            presence.receive(device, at: Self.moment(1)) == [PresenceChange(.updated, device)])
    }

    /// A backend without an RSSI, and services that come in another order.
    @Test func whatIsEqualIsNoUpdate() {
        var presence = Self.presence()
        let services = [BluetoothUUID(0x180D), BluetoothUUID(0x180F)]
        var device = Self.device(rssi: nil)
        device.services = services
        _ = presence.receive(device, at: Self.moment(0))
        device.services = services.reversed()
        #expect(presence.receive(device, at: Self.moment(1)) == [])
        device.rssi = -50
        #expect(presence.receive(device, at: Self.moment(2)).map(\.kind) == [.updated])
    }

    @Test func aFaintDeviceIsNotDiscoveredButFollowed() {
        var presence = Self.presence(minimumRSSI: -70)
        #expect(presence.receive(Self.device(rssi: -71), at: Self.moment(0)) == [])
        #expect(presence.receive(Self.device(rssi: nil), at: Self.moment(0)) == [])
        #expect(presence.receive(Self.device(rssi: -70), at: Self.moment(1)).count == 1)
        let faint = Self.device(rssi: -80)
        #expect(presence.receive(faint, at: Self.moment(2)) == [PresenceChange(.updated, faint)])
        #expect(presence.tick(at: Self.moment(12)) == [PresenceChange(.lost, faint)])
    }

    @Test func theOldestDeviceMakesRoom() {
        var presence = Self.presence()
        for number in 0..<DevicePresence.maximumDevices {
            _ = presence.receive(
                Self.device("x", "\(number)"), at: Self.moment(0) + .milliseconds(number))
        }
        let changes = presence.receive(Self.device("y", "new"), at: Self.moment(2))
        #expect(changes.map(\.kind) == [.lost, .discovered])
        #expect(changes.first?.discovery.identity == PeripheralIdentity("0"))
    }

    @Test func aTransportWithoutDuplicatesIsRefused() async {
        let transport = ScriptedBluetooth()
        await #expect(throws: BLEError(.notSupportedHere, .scan)) {
            for try await _ in transport.presence() {}
        }
    }
}
