import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The daemon's objects, in each form of announcement.
@Suite(.computes) struct MirrorTests {
    private static let service = Tree.path("/org/bluez/hci0/dev_00_AA_01_01_00_01/service001e")
    private static let notifier = Tree.path("\(service)/char0021")
    private static let descriptor = Tree.path("\(notifier)/desc0023")
    private static let uuid = BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)

    /// The objects of a daemon, as recorded in the testbed.
    private static let all: [DBusObjectPath: [String: Tree.Properties]] = [
        Tree.hci0: [
            Adapter1.interfaceName: Tree.adapterProperties, GattManager1.interfaceName: [:],
            LEAdvertisingManager1.interfaceName: [:],
        ],
        Tree.device: [
            Device1.interfaceName: Tree.deviceProperties,
            Battery1.interfaceName: [Battery1.percentage: .byte(100)],
        ],
        service: [
            GattService1.interfaceName: [
                GattService1.uuid: .string("6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"),
                GattService1.device: .objectPath(Tree.device),
                GattService1.primary: .boolean(true), GattService1.includes: .strings([]),
            ]
        ],
        notifier: [
            GattCharacteristic1.interfaceName: [
                GattCharacteristic1.uuid: .string("6e400003-b5a3-f393-e0a9-e50e24dcca9e"),
                GattCharacteristic1.service: .objectPath(service),
                GattCharacteristic1.value: .bytes([1]),
                GattCharacteristic1.notifying: .boolean(false),
                GattCharacteristic1.flags: .strings(["notify", "of-the-future"]),
                GattCharacteristic1.notifyAcquired: .boolean(false),
                GattCharacteristic1.mtu: .uint16(517),
            ]
        ],
        descriptor: [
            GattDescriptor1.interfaceName: [
                GattDescriptor1.uuid: .string("00002902-0000-1000-8000-00805f9b34fb"),
                GattDescriptor1.characteristic: .objectPath(notifier),
            ]
        ],
    ]

    private var loaded: BlueZMirror {
        var mirror = BlueZMirror()
        let isList = mirror.load(Tree.objects(Self.all))
        #expect(isList)
        return mirror
    }

    @Test func objectsAreAsTold() {
        let mirror = loaded
        let adapter = mirror.adapters[Tree.hci0]
        #expect(adapter?.isPowered == true)
        #expect(adapter?.roles == ["central", "peripheral"])
        #expect(adapter?.hasGattManager == true)
        #expect(adapter?.hasAdvertisingManager == true)
        #expect(mirror.device(address: Tree.address, on: Tree.hci0) == Tree.device)
        #expect(mirror.device(address: Tree.address, on: Tree.hci1) == nil)
        #expect(mirror.batteries[Tree.device] == 100)
        let characteristic = mirror.characteristics[Self.notifier]
        #expect(characteristic?.uuid == Self.uuid)
        #expect(characteristic?.properties == .notify)
        #expect(characteristic?.mtu == 517)
        for path in [Self.service, Self.notifier, Self.descriptor] {
            #expect(mirror.device(of: path) == Tree.device)
        }
    }

    @Test func objectsThatAreAddedOneByOneAreTheSame() {
        var mirror = BlueZMirror()
        var changes: [MirrorChange] = []
        for (path, interfaces) in Self.all.sorted(by: { $0.key.text < $1.key.text }) {
            changes += mirror.apply(Tree.added(path, interfaces))
        }
        #expect(mirror.devices == loaded.devices)
        #expect(mirror.characteristics == loaded.characteristics)
        #expect(mirror.services == loaded.services && mirror.descriptors == loaded.descriptors)
        #expect(
            LinkAttributes(of: Tree.device, in: mirror)
                == LinkAttributes(of: Tree.device, in: loaded))
        #expect(changes.filter { $0 == .attributes(device: Tree.device) }.count == 3)
        #expect(changes.contains(.device(Tree.device, isHeard: true)))
        #expect(changes.contains(.battery(device: Tree.device, 100)))
        // The value of a new characteristic is an old one.
        #expect(!changes.contains(.value(characteristic: Self.notifier, [1])))
    }

    /// Devices are hosted with two managers; each that is removed or added changes the adapter.
    @Test func whatAnAdapterHostsDevicesWithIsTold() {
        for name in [GattManager1.interfaceName, LEAdvertisingManager1.interfaceName] {
            var mirror = loaded
            #expect(mirror.apply(Tree.removed(Tree.hci0, [name])) == [.adapter(Tree.hci0)])
            #expect(mirror.adapters[Tree.hci0]?.hostingRefusal != nil)
            #expect(mirror.apply(Tree.added(Tree.hci0, [name: [:]])) == [.adapter(Tree.hci0)])
            #expect(mirror.adapters[Tree.hci0]?.hostingRefusal == nil)
            for change in [Tree.removed(Tree.hci1, [name]), Tree.added(Tree.hci1, [name: [:]])] {
                #expect(mirror.apply(change) == [])
            }
        }
    }

    @Test func objectsGoAsTheyCame() {
        var mirror = loaded
        var changes: [MirrorChange] = []
        for (path, interfaces) in Self.all.sorted(by: { $0.key.text > $1.key.text }) {
            changes += mirror.apply(Tree.removed(path, interfaces.keys.sorted()))
        }
        #expect(mirror.adapters.isEmpty && mirror.devices.isEmpty)
        #expect(mirror.batteries.isEmpty)
        let empty = BlueZMirror()
        #expect(mirror.services == empty.services && mirror.descriptors == empty.descriptors)
        #expect(mirror.characteristics == empty.characteristics)
        #expect(changes.filter { $0 == .attributes(device: Tree.device) }.count == 3)
        #expect(changes.suffix(2) == [.deviceRemoved(Tree.device), .adapterRemoved(Tree.hci0)])
    }

    @Test func anAttributeMayChangeItsDevice() {
        var mirror = loaded
        let other = Tree.path("/org/bluez/hci0/dev_other")
        #expect(LinkAttributes(of: Tree.device, in: mirror).paths.contains(Self.service))
        _ = mirror.apply(
            Tree.changed(
                Self.service, GattService1.interfaceName,
                [GattService1.device: .objectPath(other)]))
        #expect(!LinkAttributes(of: Tree.device, in: mirror).paths.contains(Self.service))
        #expect(LinkAttributes(of: other, in: mirror).paths == [Self.service])
        #expect(mirror.services.paths(of: Tree.device).isEmpty)
    }

    @Test func aValueIsToldWithoutAnythingElse() {
        var mirror = loaded
        let name = GattCharacteristic1.interfaceName
        let signal = Tree.changed(Self.notifier, name, [GattCharacteristic1.value: .bytes([7])])
        let expected = MirrorChange.value(characteristic: Self.notifier, [7])
        #expect(BlueZMirror.value(in: signal) == [7])
        let changes = mirror.apply(signal)
        #expect(changes == [expected])
        let both = Tree.changed(
            Self.notifier, name,
            [GattCharacteristic1.value: .bytes([7]), GattCharacteristic1.mtu: .uint16(23)])
        #expect(BlueZMirror.value(in: both) == nil)
        let more = mirror.apply(both)
        #expect(more == [expected, .mtu(characteristic: Self.notifier)])
    }

    @Test func servicesAreKnownOnALinkOnly() {
        var mirror = loaded
        let name = Device1.interfaceName
        func both(_ isThere: Bool) -> DBusSignal {
            Tree.changed(
                Tree.device, name,
                [
                    Device1.connected: .boolean(isThere),
                    Device1.servicesResolved: .boolean(isThere),
                ])
        }
        let beginning = mirror.apply(both(true))
        #expect(
            beginning.dropFirst() == [
                .connection(Tree.device, isConnected: true), .resolved(Tree.device, true),
            ])
        // Told again, it is another link.
        let again = mirror.apply(both(true))
        #expect(again == beginning)
        let end = mirror.apply(both(false))
        #expect(
            end.dropFirst() == [
                .resolved(Tree.device, false), .connection(Tree.device, isConnected: false),
            ])
    }

    @Test func theReasonOfALinksEndIsTold() {
        var mirror = loaded
        let signal = DBusSignal(
            Device1.disconnected, of: Device1.interfaceName, at: Tree.device,
            [.string("org.bluez.Reason.Timeout"), .string("Connection timeout")])
        let changes = mirror.apply(signal)
        #expect(
            changes == [
                .reason(
                    device: Tree.device, name: "org.bluez.Reason.Timeout",
                    text: "Connection timeout")
            ])
    }

    private static let wrong: [DBusValue] = [
        .byte(7), .boolean(true), .int16(-1), .uint32(.max), .int64(.min), .uint64(.max),
        .double(.nan), .string(""), .string(String(repeating: "x", count: 5000)),
        .objectPath(.root), .unixFD(9), .variant(.variant(.byte(1))), .bytes([]),
        .array(.string, [.string("x"), .string("180d")]),
        .array(.array(.byte), [.bytes([1])]), .structure([.byte(1)]),
        .dictionary(key: .string, value: .variant, [DBusEntry(.string("a"), .variant(.byte(1)))]),
        .dictionary(key: .uint16, value: .variant, [DBusEntry(.uint16(1), .variant(.string("")))]),
    ]

    /// Each property of each interface with a value of each type.
    @Test func aPropertyOfAnotherTypeIsAbsent() {
        let interfaces = [
            Adapter1.interface, Device1.interface, GattService1.interface,
            GattCharacteristic1.interface, GattDescriptor1.interface, Battery1.interface,
        ]
        for interface in interfaces {
            for property in interface.properties {
                for value in Self.wrong {
                    var mirror = loaded
                    for path in [Tree.hci0, Tree.device, Self.notifier] {
                        let values = [property.name: value]
                        _ = mirror.apply(Tree.changed(path, interface.name, values))
                        _ = mirror.apply(Tree.added(path, [interface.name: values]))
                    }
                    #expect((1...3).contains(mirror.devices.count))
                }
            }
        }
        var mirror = loaded
        _ = mirror.apply(
            Tree.changed(
                Tree.device, Device1.interfaceName,
                [
                    Device1.rssi: .string("strong"), Device1.name: .byte(1),
                    Device1.connected: .string("yes"), Device1.uuids: .string("180d"),
                    Device1.manufacturerData: .bytes([1]),
                ]))
        let device = mirror.devices[Tree.device]
        #expect(device?.rssi == nil && device?.name == nil && device?.isConnected == false)
        #expect(device?.uuids == [] && device?.manufacturerData == [])
    }

    @Test func signalsOfAnotherFormMeanNothing() {
        for member in [
            DBusProperties.propertiesChanged, DBusObjectManager.interfacesAdded,
            DBusObjectManager.interfacesRemoved, Device1.disconnected,
        ] {
            for interface in [
                DBusProperties.interfaceName, DBusObjectManager.interfaceName,
                Device1.interfaceName, "org.example",
            ] {
                for one in Self.wrong {
                    for other in Self.wrong {
                        var mirror = loaded
                        for values in [[], [one], [one, other], [one, other, one]] {
                            let signal = DBusSignal(
                                member, of: interface, at: Tree.device, values)
                            _ = BlueZMirror.value(in: signal)
                            _ = mirror.apply(signal)
                        }
                    }
                }
            }
        }
    }

    @Test func unknownObjectsAreIgnored() {
        var mirror = BlueZMirror()
        for interface in [Adapter1.interfaceName, Device1.interfaceName, Battery1.interfaceName] {
            let changes = mirror.apply(
                Tree.changed(
                    Tree.device, interface,
                    [
                        Adapter1.powered: .boolean(true), Device1.connected: .boolean(true),
                        Battery1.percentage: .byte(5),
                    ]))
            #expect(changes.isEmpty)
        }
        #expect(mirror.adapters.isEmpty && mirror.devices.isEmpty && mirror.batteries.isEmpty)
    }

    @Test func theMirrorIsBounded() {
        var mirror = BlueZMirror()
        for number in 0..<(BlueZMirror.maximumDevices + 10) {
            let path = Tree.path("/org/bluez/hci0/dev\(number)")
            _ = mirror.apply(Tree.added(path, [Device1.interfaceName: [:]]))
            _ = mirror.apply(
                Tree.added(path, [Battery1.interfaceName: [Battery1.percentage: .byte(1)]]))
            _ = mirror.apply(Tree.added(path, [Adapter1.interfaceName: [:]]))
        }
        #expect(mirror.devices.count == BlueZMirror.maximumDevices)
        #expect(mirror.batteries.count == BlueZMirror.maximumDevices)
        #expect(mirror.adapters.count == BlueZMirror.maximumAdapters)
        let long = Tree.path("/" + String(repeating: "x", count: 300))
        let changes = mirror.apply(Tree.added(long, [Adapter1.interfaceName: [:]]))
        #expect(changes.isEmpty)

        var crowded = Tree.deviceProperties
        crowded[Device1.uuids] = .strings((0..<1000).map { "0000\(1000 + $0)" })
        crowded[Device1.manufacturerData] = .dictionary(
            key: .uint16, value: .variant,
            (0..<1000).map { DBusEntry(.uint16($0), .variant(.bytes([1]))) })
        mirror = BlueZMirror()
        _ = mirror.apply(Tree.added(Tree.device, [Device1.interfaceName: crowded]))
        let device = mirror.devices[Tree.device]
        #expect(device?.uuids.count == BlueZDevice.maximumUUIDs)
        #expect(device?.manufacturerData.count == BlueZDevice.maximumCompanies)
    }
}
