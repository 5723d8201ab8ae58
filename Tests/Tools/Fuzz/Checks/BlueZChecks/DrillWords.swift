#if os(Linux)
import HaloTesting

@testable import BlueZVocabulary
@testable import HaloBlueZ
@testable import HaloDBus

/// Random messages of a daemon.
enum DrillWords {
    static let addresses = [Tree.address, "00:AA:01:01:00:02", "", "hci0"]
    private static let service = Tree.path("\(Tree.device)/service001e")
    private static let notifier = Tree.path("\(service)/char0021")
    private static let writer = Tree.path("\(service)/char001f")
    private static let descriptor = Tree.path("\(notifier)/desc0023")
    private static let other = Tree.path("/org/bluez/hci0/dev_00_AA_01_01_00_02")
    private static let paths = [
        Tree.hci0, Tree.hci1, Tree.device, other, service, notifier, writer, descriptor, .root,
    ]
    private static let interfaces = [
        Adapter1.interface, Device1.interface, GattService1.interface,
        GattCharacteristic1.interface, GattDescriptor1.interface, Battery1.interface,
        GattManager1.interface,
    ]
    private static let texts =
        addresses + [
            "6e400003-b5a3-f393-e0a9-e50e24dcca9e", "180f", "2a19", "R02", "public", "notify",
            "read", "write", "write-without-response", Adapter1.blockedPowerState,
            String(repeating: "long", count: 200),
        ]

    /// The objects of a daemon with one adapter, which is on.
    static var tree: DBusValue { Tree.usual }

    /// The discovery of a device.
    static let beginning = [
        Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties])
    ]

    /// A connection, and the discovery of the device's services.
    static let connecting: [DBusSignal] = [
        Tree.changed(Tree.device, Device1.interfaceName, [Device1.connected: .boolean(true)]),
        Tree.added(
            service,
            [
                GattService1.interfaceName: [
                    GattService1.uuid: .string("6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"),
                    GattService1.device: .objectPath(Tree.device),
                ]
            ]),
        characteristic(notifier, "6e400003-b5a3-f393-e0a9-e50e24dcca9e", 23),
        characteristic(writer, "6e400002-b5a3-f393-e0a9-e50e24dcca9e", 517),
        Tree.changed(
            Tree.device, Device1.interfaceName, [Device1.servicesResolved: .boolean(true)]),
    ]

    private static func characteristic(
        _ path: DBusObjectPath, _ uuid: String, _ mtu: UInt16
    ) -> DBusSignal {
        Tree.added(
            path,
            [
                GattCharacteristic1.interfaceName: [
                    GattCharacteristic1.uuid: .string(uuid),
                    GattCharacteristic1.service: .objectPath(service),
                    GattCharacteristic1.flags: .strings(
                        ["notify", "read", "write", "write-without-response"]),
                    GattCharacteristic1.mtu: .uint16(mtu),
                ]
            ])
    }

    private static let errors = [
        BlueZErrorName.failed, BlueZErrorName.inProgress, BlueZErrorName.notReady,
        BlueZErrorName.notConnected, BlueZErrorName.alreadyConnected,
        BlueZErrorName.alreadyExists, BlueZErrorName.notSupported, BlueZErrorName.notPermitted,
        BlueZErrorName.notAuthorized, BlueZErrorName.authenticationFailed,
        BlueZErrorName.invalidArguments, BlueZErrorName.doesNotExist, BlueZErrorName.blocked,
        DBusErrorName.unknownObject, DBusErrorName.serviceUnknown, DBusErrorName.accessDenied,
        DBusErrorName.noReply, "x.y",
    ]
    private static let reasons =
        ([
            .abortedByLocal, .connectionCancelled, .inProgress, .connectInProgress, .inputOutput,
            .notConnected, .notPaired, .notifyAcquired, .noNotifySession, .att(0x0E), .att(0x05),
        ] as [DBusRefusal]).map(\.details) + ["\(DBusRefusal.attPrefix)zz", ""]

    /// Random properties of devices, valid ones most of the time.
    private static func value(_ type: DBusType, _ bytes: inout FuzzBytes) -> DBusValue {
        guard bytes.byte() % 8 > 0 else { return anything(&bytes) }
        switch type {
        case .boolean: return .boolean(bytes.flag())
        case .byte: return .byte(bytes.byte())
        case .int16: return .int16(Int16(bytes.byte()) - 128)
        case .uint16: return .uint16(bytes.integer())
        case .string: return .string(bytes.choice(of: texts) ?? "")
        case .objectPath: return .objectPath(bytes.choice(of: paths) ?? .root)
        case .array(.byte): return .bytes(bytes.bytes(bytes.length(upTo: 20)))
        case .array(.string):
            return .strings(
                (0..<bytes.integer(in: 0...4)).map { _ in bytes.choice(of: texts) ?? "" })
        default: return anything(&bytes)
        }
    }

    private static func anything(_ bytes: inout FuzzBytes, depth: Int = 0) -> DBusValue {
        switch bytes.byte() % (depth < 3 ? 14 : 9) {
        case 0: return .byte(bytes.byte())
        case 1: return .boolean(bytes.flag())
        case 2: return .int16(bytes.integer())
        case 3: return .uint32(bytes.integer())
        case 4: return .int64(bytes.integer())
        case 5: return .uint64(bytes.integer())
        case 6: return .string(bytes.choice(of: texts) ?? "")
        case 7: return .objectPath(bytes.choice(of: paths) ?? .root)
        case 8: return .bytes(bytes.bytes(bytes.length(upTo: 8)))
        case 9: return .variant(anything(&bytes, depth: depth + 1))
        case 10: return .unixFD(bytes.integer())
        case 11: return .structure([anything(&bytes, depth: depth + 1)])
        case 12: return .array(.variant, [anything(&bytes, depth: depth + 1)])
        default:
            let entry = DBusEntry(
                anything(&bytes, depth: depth + 1), anything(&bytes, depth: depth + 1))
            return .dictionary(key: .string, value: .variant, [entry])
        }
    }

    private static func properties(
        of interface: DBusInterface, _ bytes: inout FuzzBytes
    ) -> [String: DBusValue] {
        var values: [String: DBusValue] = [:]
        for _ in 0..<bytes.integer(in: 0...4) {
            guard let property = bytes.choice(of: interface.properties) else { break }
            values[property.name] = value(property.type, &bytes)
        }
        return values
    }

    /// Any signal of a daemon.
    static func signal(_ bytes: inout FuzzBytes) -> DBusSignal {
        let path = bytes.choice(of: paths) ?? .root
        let interface = bytes.choice(of: interfaces) ?? Device1.interface
        switch bytes.byte() % 8 {
        case 0, 1, 2:
            return Tree.changed(
                path, interface.name, properties(of: interface, &bytes),
                invalidated: bytes.flag() ? [Device1.rssi] : [])
        case 3:
            return Tree.changed(
                path, GattCharacteristic1.interfaceName,
                [GattCharacteristic1.value: .bytes([bytes.byte()])])
        case 4: return Tree.added(path, [interface.name: properties(of: interface, &bytes)])
        case 5: return Tree.removed(path, [interface.name])
        case 6:
            return DBusSignal(
                Device1.disconnected, of: Device1.interfaceName, at: path,
                [anything(&bytes), anything(&bytes)])
        default:
            let names = [
                (DBusProperties.propertiesChanged, DBusProperties.interfaceName),
                (DBusObjectManager.interfacesAdded, DBusObjectManager.interfaceName),
                (DBusObjectManager.interfacesRemoved, DBusObjectManager.interfaceName),
                ("NameOwnerChanged", DBusName.bus),
            ]
            let (member, interface) = bytes.choice(of: names) ?? ("", "")
            let values = (0..<bytes.integer(in: 0...4)).map { _ in anything(&bytes) }
            return DBusSignal(member, of: interface, at: path, values)
        }
    }

    /// Random signals about a device.
    static func plausible(_ bytes: inout FuzzBytes) -> DBusSignal {
        switch bytes.byte() % 8 {
        case 0: return Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties])
        case 1:
            return Tree.changed(
                Tree.device, Device1.interfaceName, [Device1.connected: .boolean(bytes.flag())])
        case 2:
            return Tree.changed(
                Tree.device, Device1.interfaceName,
                [Device1.servicesResolved: .boolean(bytes.flag())])
        case 3:
            return Tree.added(
                service,
                [
                    GattService1.interfaceName: [
                        GattService1.uuid: .string(bytes.choice(of: texts.suffix(9)) ?? ""),
                        GattService1.device: .objectPath(Tree.device),
                    ]
                ])
        case 4, 5:
            return characteristic(
                bytes.flag() ? notifier : writer, "2a19", UInt16(bytes.byte()))
        case 6:
            return Tree.added(
                Tree.device,
                [Battery1.interfaceName: [Battery1.percentage: .byte(bytes.byte())]])
        default:
            return Tree.changed(
                Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(bytes.flag())])
        }
    }

    /// Random replies, valid ones most of the time.
    static func answer(to call: DBusCall, _ bytes: inout FuzzBytes) -> BlueZSession.Answer {
        switch bytes.byte() % 8 {
        case 0:
            return .failure(
                DBusError(
                    .remote, name: bytes.choice(of: errors), details: bytes.choice(of: reasons)))
        case 1:
            let kinds: [DBusError.Kind] = [.timedOut, .disconnected, .limitExceeded, .cancelled]
            return .failure(DBusError(bytes.choice(of: kinds) ?? .timedOut))
        case 2:
            let values = (0..<bytes.integer(in: 0...3)).map { _ in anything(&bytes) }
            return .success(DBusReply(values))
        default: break
        }
        switch call.member {
        case DBusObjectManager.getManagedObjects: return .success(DBusReply([tree]))
        case GattCharacteristic1.readValue:
            return .success(DBusReply([.bytes(bytes.bytes(bytes.length(upTo: 8)))]))
        default: return .success(DBusReply())
        }
    }
}
#endif
