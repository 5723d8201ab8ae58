#if os(Linux)
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The values of limits and timeouts, which other tests know by name only.
@Suite struct BoundsTests {
    @Test func nothingGrowsWithoutEnd() {
        #expect(LinkLimits.maximumOperations == 1024)
        #expect(BlueZSession.maximumEffects == 131_072)
        #expect(LinkLimits.maximumPairingPauses == 60)
        #expect(DaemonState.maximumEarlySignals == 4096)
        #expect(AdapterChoice.maximumWaiting == 1024)
        #expect(DiscoveryState.maximumScans == 1024)
        #expect(BlueZMirror.maximumAttributes == 65_536)
        #expect(BlueZDevice.maximumUUIDs == 128 && BlueZDevice.maximumCompanies == 8)
        #expect(HostedCentrals.maximumPending == 32)
    }

    @Test func everyWaitHasATimeout() {
        #expect(BlueZHub.openingTimeout == .seconds(10))
        #expect(BlueZDoctor.defaultTimeout == .seconds(5))
        #expect(DBusConnection.defaultTimeout == .seconds(25))
        #expect(LinkLimits.disconnectTimeout == .seconds(4))
        #expect(LinkLimits.connectTimeout == .seconds(60))
        #expect(AdapterChoice.powerOnTimeout == .seconds(3))
        #expect(DaemonState.settlingTime == .seconds(2))
    }

    /// Values of a device's company: up to 2048 bytes.
    @Test(arguments: [(2047, true), (2048, true), (2049, false)])
    func longDataIsNotKept(_ length: Int, _ isKept: Bool) {
        var device = BlueZDevice()
        let data = DBusValue.bytes([UInt8](repeating: 1, count: length))
        _ = device.set(
            "ManufacturerData",
            .dictionary(
                key: .uint16, value: .variant, [DBusEntry(.uint16(7), .variant(data))]))
        #expect(device.manufacturerData.map(\.bytes.count) == (isKept ? [length] : []))
    }

    /// Names have 512 bytes at most, and paths 255.
    @Test func longNamesAreNotKept() throws {
        for (length, isKept) in [(512, true), (513, false)] {
            let text = String(repeating: "a", count: length)
            #expect(DBusValue.string(text).keptText == (isKept ? text : nil))
        }
        for (length, isKept) in [(255, true), (256, false)] {
            let path = try DBusObjectPath("/" + String(repeating: "a", count: length - 1))
            #expect(path.isKept == isKept)
            #expect(DBusValue.objectPath(path).keptPath == (isKept ? path : nil))
        }
    }

    /// An adapter has few roles, and a characteristic few flags.
    @Test func longListsAreCut() {
        var adapter = BlueZAdapter(.root)
        let roles = (0..<9).map { "role\($0)" }
        adapter.set("Roles", .strings(roles))
        #expect(adapter.roles == Array(roles.prefix(8)))
        for (count, isRead) in [(63, true), (64, false)] {
            var characteristic = BlueZCharacteristic()
            let flags = [String](repeating: "notify", count: count) + ["read"]
            characteristic.set("Flags", .strings(flags))
            #expect(characteristic.properties.contains(.notify))
            #expect(characteristic.properties.contains(.read) == isRead)
        }
    }
}
#endif
