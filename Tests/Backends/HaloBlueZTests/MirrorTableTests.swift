import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The meaning and the limit of each property.
@Suite(.computes) struct MirrorTableTests {
    private static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

    @Test(
        arguments: [
            (Device1.rssi, .int16(-50), .heard), (Device1.rssi, nil, .other),
            (Device1.rssi, .string("x"), .other), (Device1.rssi, .int32(40_000), .other),
            (Device1.manufacturerData, .properties([:]), .heard),
            (Device1.manufacturerData, nil, .other),
            (Device1.serviceData, .properties([:]), .heard),
            (Device1.serviceData, nil, .other), (Device1.connected, .boolean(true), .connection),
            (Device1.connected, nil, .connection), (Device1.servicesResolved, nil, .resolved),
            (Device1.name, .string("x"), .description), (Device1.name, nil, .description),
            (Device1.uuids, nil, .description), (Device1.alias, .string("x"), .other),
            (Device1.address, nil, .other), (Device1.adapter, nil, .other),
            (Device1.paired, .boolean(true), .other), ("Icon", .string("x"), .other),
        ] as [(String, DBusValue?, BlueZDevice.Updates)])
    func eachPropertyOfADeviceHasItsMeaning(
        _ name: String, _ value: DBusValue?, _ news: BlueZDevice.Updates
    ) {
        var device = BlueZDevice()
        #expect(device.set(name, value) == news)
    }

    @Test func aDeviceHasTheSignalledValues() {
        var device = BlueZDevice()
        let company = DBusValue.dictionary(
            key: .uint16, value: .variant,
            [
                DBusEntry(.uint16(7), .variant(.bytes([1]))),
                DBusEntry(.uint32(70_000), .variant(.bytes([1]))),
                DBusEntry(.uint16(8), .variant(.string("x"))),
                DBusEntry(.uint16(9), .variant(.bytes([]))),
            ])
        let values: [(String, DBusValue)] = [
            (Device1.rssi, .int16(-50)), (Device1.name, .string("a")),
            (Device1.alias, .string("b")), (Device1.address, .string("aa:bb")),
            (Device1.adapter, .objectPath(Tree.hci0)), (Device1.paired, .boolean(true)),
            (Device1.connected, .boolean(true)), (Device1.servicesResolved, .boolean(true)),
            (Device1.uuids, .strings(["180d", "nonsense", "180f"])),
            (Device1.manufacturerData, company),
        ]
        for (name, value) in values { _ = device.set(name, value) }
        #expect(device.rssi == -50 && device.isInReach)
        #expect(device.name == "a" && device.address == "AA:BB")
        #expect(device.adapter == Tree.hci0 && device.isPaired)
        #expect(device.isConnected && device.isResolved)
        #expect(device.uuids == [BluetoothUUID(0x180D), BluetoothUUID(0x180F)])
        #expect(
            device.manufacturerData == [
                ManufacturerData(company: 7, bytes: [1]), ManufacturerData(company: 9, bytes: []),
            ])
        // Nobody knows how strong, but it was heard.
        _ = device.set(Device1.rssi, .int16(127))
        #expect(device.rssi == nil && device.isInReach)
        _ = device.set(Device1.rssi, .int16(126))
        #expect(device.rssi == 126)
        for (name, _) in values { _ = device.set(name, nil) }
        #expect(device == BlueZDevice())
        #expect(!device.isInReach && device.rssi == nil)
    }

    @Test func longValuesAreDropped() {
        for (length, isKept) in [(512, true), (513, false)] {
            #expect((DBusValue.string(Self.text(length)).keptText != nil) == isKept)
        }
        for (length, isKept) in [(255, true), (256, false)] {
            let path = Tree.path("/" + Self.text(length - 1))
            #expect(path.isKept == isKept)
            #expect((DBusValue.objectPath(path).keptPath != nil) == isKept)
        }
        for (length, isKept) in [(2048, true), (2049, false)] {
            var device = BlueZDevice()
            let data = DBusValue.bytes([UInt8](repeating: 0, count: length))
            _ = device.set(
                Device1.manufacturerData,
                .dictionary(
                    key: .uint16, value: .variant, [DBusEntry(.uint16(1), .variant(data))]))
            #expect(device.manufacturerData.isEmpty != isKept)
        }
        for count in [127, 128, 129] {
            var device = BlueZDevice()
            _ = device.set(Device1.uuids, .strings((0..<count).map { "\(1000 + $0)" }))
            #expect(device.uuids.count == min(count, 128))
        }
        for count in [7, 8, 9] {
            var (device, adapter) = (BlueZDevice(), BlueZAdapter(.root))
            _ = device.set(
                Device1.manufacturerData,
                .dictionary(
                    key: .uint16, value: .variant,
                    (0..<count).map { DBusEntry(.uint16(UInt16($0)), .variant(.bytes([]))) }))
            #expect(device.manufacturerData.count == min(count, 8))
            adapter.set(Adapter1.roles, .strings((0..<count).map { "\($0)" }))
            #expect(adapter.roles?.count == min(count, 8))
        }
        for (place, isKept) in [(63, true), (64, false)] {
            var characteristic = MirrorAttribute()
            let flags = (0..<80).map { $0 == place ? "read" : "x" }
            characteristic.set(GattCharacteristic1.flags, .strings(flags))
            #expect((characteristic.properties == .read) == isKept)
        }
    }

    @Test func adaptersAndAttributesHaveTheSignalledValues() {
        var adapter = BlueZAdapter(.root)
        let values: [(String, DBusValue)] = [
            (Adapter1.address, .string("aa:bb")), (Adapter1.name, .string("a")),
            (Adapter1.powered, .boolean(true)), (Adapter1.discovering, .boolean(true)),
            (Adapter1.powerState, .string(Adapter1.blockedPowerState)),
            (Adapter1.roles, .strings(["central"])),
        ]
        for (name, value) in values { adapter.set(name, value) }
        #expect(adapter.address == "AA:BB" && adapter.name == "a" && adapter.isOn)
        #expect(adapter.isDiscovering && adapter.isBlocked && adapter.roles == ["central"])
        adapter.set(Adapter1.powerState, .string("off"))
        #expect(!adapter.isBlocked)
        for (name, _) in values { adapter.set(name, nil) }
        #expect(adapter == BlueZAdapter(.root))
        var service = MirrorAttribute()
        service.set(GattService1.primary, .boolean(false))
        #expect(!service.isPrimary)
        service.set(GattService1.primary, nil)
        #expect(service.isPrimary)
        var characteristic = MirrorAttribute()
        for (value, mtu) in [
            (.uint16(517), 517), (.uint32(65_535), 65_535), (.uint32(65_536), nil),
            (.int32(-1), nil), (.string("x"), nil),
        ] as [(DBusValue, Int?)] {
            characteristic.set(GattCharacteristic1.mtu, value)
            #expect(characteristic.mtu == mtu)
        }
    }

    /// Each table accepts elements up to its limit, and not one more.
    @Test func tablesAreBounded() {
        var mirror = BlueZMirror()
        for number in 0..<BlueZMirror.maximumAttributes - 1 {
            let path = Tree.path("/a\(number)")
            mirror.services[path] = MirrorAttribute()
            mirror.characteristics[path] = MirrorAttribute()
            mirror.descriptors[path] = MirrorAttribute()
        }
        let names = [
            GattService1.interfaceName, GattCharacteristic1.interfaceName,
            GattDescriptor1.interfaceName,
        ]
        func counts() -> [Int] {
            [
                mirror.services.all.count, mirror.characteristics.all.count,
                mirror.descriptors.all.count,
            ]
        }
        for number in 0..<3 {
            for name in names {
                _ = mirror.apply(Tree.added(Tree.path("/b\(number)"), [name: [:]]))
            }
            #expect(counts() == [65_536, 65_536, 65_536])
        }
        #expect(BlueZMirror.maximumDevices == 4096 && BlueZMirror.maximumAdapters == 64)
        // An object may be announced again.
        let changes = mirror.apply(
            Tree.added(
                Tree.path("/b0"),
                [GattService1.interfaceName: [GattService1.primary: .boolean(false)]]))
        #expect(changes == [] && mirror.services[Tree.path("/b0")]?.isPrimary == false)
    }

    private static let heard = MirrorChange.device(Tree.device, isHeard: true)
    private static let changed = MirrorChange.device(Tree.device, isHeard: false)

    /// The changes of each signal about a device.
    @Test func eachSignalHasItsChanges() {
        func changes(_ values: Tree.Properties, after first: Tree.Properties) -> [MirrorChange] {
            var mirror = BlueZMirror()
            _ = mirror.apply(Tree.added(Tree.device, [Device1.interfaceName: first]))
            return mirror.apply(Tree.changed(Tree.device, Device1.interfaceName, values))
        }
        let far: Tree.Properties = [:]
        let near: Tree.Properties = [Device1.rssi: .int16(-50)]
        #expect(changes([Device1.name: .string("x")], after: far) == [Self.changed])
        #expect(changes([Device1.name: .string("x")], after: near) == [Self.heard])
        #expect(changes([Device1.alias: .string("x")], after: near) == [Self.changed])
        #expect(changes(near, after: far) == [Self.heard])
        let link = { MirrorChange.connection(Tree.device, isConnected: $0) }
        #expect(
            changes([Device1.connected: .boolean(true)], after: far) == [Self.changed, link(true)])
        #expect(
            changes([Device1.connected: .boolean(false)], after: far)
                == [Self.changed, link(false)])
        #expect(
            changes([Device1.servicesResolved: .boolean(true)], after: far)
                == [Self.changed, .resolved(Tree.device, true)])
    }

    @Test func aBatteryLevelIsAPercentage() {
        var mirror = BlueZMirror()
        _ = mirror.apply(Tree.added(Tree.device, [Device1.interfaceName: [:]]))
        for (value, level) in [(0, 0), (100, 100), (101, nil), (255, nil), (50, 50)]
            as [(UInt8, Int?)]
        {
            let changes = mirror.apply(
                Tree.changed(
                    Tree.device, Battery1.interfaceName, [Battery1.percentage: .byte(value)]))
            #expect(changes == (level.map { [.battery(device: Tree.device, $0)] } ?? []))
            #expect(mirror.batteries[Tree.device] == level)
        }
        let gone = mirror.apply(
            Tree.changed(
                Tree.device, Battery1.interfaceName, [:], invalidated: [Battery1.percentage]))
        #expect(gone == [] && mirror.batteries.isEmpty)
    }

    @Test func managersComeAndGo() {
        var mirror = BlueZMirror()
        let names = [GattManager1.interfaceName, LEAdvertisingManager1.interfaceName]
        for name in names {
            let early = mirror.apply(Tree.added(Tree.hci0, [name: [:]]))
            #expect(early == [])
        }
        _ = mirror.apply(Tree.added(Tree.hci0, [Adapter1.interfaceName: [:]]))
        func has() -> [Bool?] {
            [
                mirror.adapters[Tree.hci0]?.hasGattManager,
                mirror.adapters[Tree.hci0]?.hasAdvertisingManager,
            ]
        }
        #expect(has() == [false, false])
        let first = mirror.apply(Tree.added(Tree.hci0, [names[0]: [:]]))
        #expect(first == [.adapter(Tree.hci0)] && has() == [true, false])
        let second = mirror.apply(Tree.added(Tree.hci0, [names[1]: [:]]))
        #expect(second == [.adapter(Tree.hci0)] && has() == [true, true])
        _ = mirror.apply(Tree.removed(Tree.hci0, [names[0]]))
        #expect(has() == [false, true])
        _ = mirror.apply(Tree.removed(Tree.hci0, [names[1]]))
        #expect(has() == [false, false])
    }

    /// Signals that only resemble a value.
    @Test func onlyAValueAloneIsAValue() {
        let name = GattCharacteristic1.interfaceName
        func value(_ signal: DBusSignal) -> [UInt8]? { BlueZMirror.value(in: signal) }
        let usual: Tree.Properties = [GattCharacteristic1.value: .bytes([7])]
        #expect(value(Tree.changed(Tree.device, name, usual)) == [7])
        #expect(value(Tree.changed(Tree.device, Device1.interfaceName, usual)) == nil)
        #expect(value(Tree.changed(Tree.device, name, ["Other": .bytes([7])])) == nil)
        #expect(value(Tree.changed(Tree.device, name, [:])) == nil)
        #expect(
            value(Tree.changed(Tree.device, name, [GattCharacteristic1.value: .string("x")]))
                == nil)
        let signal = Tree.changed(Tree.device, name, usual)
        #expect(
            value(DBusSignal("Other", of: signal.interface, at: signal.path, signal.values))
                == nil)
        #expect(
            value(
                DBusSignal(
                    signal.member, of: signal.interface, at: signal.path,
                    Array(signal.values.prefix(1)))) == nil)
    }
}
