import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import FakeBlueZ

/// A program that hosts a device with raw objects, used by a central over the fake daemon.
@Suite("Programs that are devices", .takesTurns)
struct ProgramTests {
    private static let device = "/org/bluez/hci0/dev_00_AA_01_01_00_01"
    private let fake: FakeBlueZ
    private let client: FakeClient
    private let program: DBusConnection
    private let asked = Locked<[String]>([])
    /// The options of the latest request.
    private let options = Locked<DBusValue?>(nil)

    private enum Kind: Int, CaseIterable {
        case notify = 1
        case write, command

        var uuid: String { "0000bb0\(rawValue)-0000-1000-8000-00805f9b34fb" }
        var flags: [String] {
            switch self {
            case .notify: ["notify"]
            case .write: ["write"]
            case .command: ["write", "write-without-response"]
            }
        }
    }

    init() async throws {
        fake = try await FakeBlueZ(adapters: 2)
        client = try await FakeClient(fake)
        program = try await fake.bus.connect()
    }

    /// Registers a device that refuses writes, optionally after a delay, and connects to it.
    private func begin() async throws {
        let root = try DBusObjectPath("/app")
        let service = try DBusObjectPath("/app/service")
        try program.export(DBusObject(objectManager: .ownInterfaces), at: root)
        try program.export(
            DBusObject(
                [GattService1.applicationInterface],
                values: [
                    GattService1.interfaceName: [
                        "UUID": .string("bb00"), "Primary": .boolean(true),
                    ]
                ]), at: service)
        for kind in Kind.allCases {
            let object = DBusObject(
                [GattCharacteristic1.applicationInterface],
                values: [
                    GattCharacteristic1.interfaceName: [
                        "UUID": .string(kind.uuid), "Service": .objectPath(service),
                        "Flags": .strings(kind.flags),
                    ]
                ])
            let (asked, options) = (self.asked, self.options)
            try program.export(object, at: try DBusObjectPath("/app/service/\(kind)")) { request in
                options.withLock { $0 = request.arguments.last }
                let offset = request.arguments.last?[AttributeOption.offset]?.integer
                let place = offset.map { " at \($0)" } ?? ""
                asked.withLock { $0.append("\(kind) \(request.member)\(place)") }
                switch request.member {
                case GattCharacteristic1.readValue: request.reply([.bytes([7])])
                default: request.refuse(DBusRefusal(BlueZErrorName.notAuthorized, "no"))
                }
            }
        }
        try program.export(
            DBusObject(
                [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: [:]]),
            at: try DBusObjectPath("/advertisement"))
        for (member, interface, path) in [
            (GattManager1.registerApplication, GattManager1.interfaceName, "/app"),
            (
                LEAdvertisingManager1.registerAdvertisement, LEAdvertisingManager1.interfaceName,
                "/advertisement"
            ),
        ] {
            _ = try await program.call(
                DBusCall(
                    member, of: interface, at: try DBusObjectPath("/org/bluez/hci1"),
                    on: BlueZDaemon.name,
                    [.objectPath(try DBusObjectPath(path)), .properties([:])]))
        }
        let filter = DBusValue.properties(["Transport": .string("le")])
        let (adapter, hci0) = (Adapter1.interfaceName, "/org/bluez/hci0")
        _ = await client.say(Adapter1.setDiscoveryFilter, adapter, hci0, filter)
        _ = await client.say(Adapter1.startDiscovery, adapter, hci0)
        try await client.hears("+dev_00_AA_01_01_00_01 Device1")
        _ = await client.say(Device1.connect, Device1.interfaceName, Self.device)
        try await client.hears("ServicesResolved=true")
    }

    /// The path of the central on the program's adapter.
    private static let central = "/org/bluez/hci1/dev_00_AA_01_00_00_00"

    /// The signals about the central, without the devices of the other adapter.
    private var toldOfCentral: [String] {
        client.signals.filter { $0.hasPrefix(Self.central) }
    }

    /// The daemon announces a central after a while, and its link and services at once.
    @Test("a central is announced as by the daemon")
    func centralsAreTold() async throws {
        fake.timing.meeting = .milliseconds(300)
        let begun = ContinuousClock.now
        try await begin()
        try await client.hears("\(Self.central) Connected=true ServicesResolved=true")
        #expect(ContinuousClock.now - begun >= .milliseconds(300))
        func tell(_ member: String) async -> String {
            await client.say(member, Device1.interfaceName, Self.central)
        }
        #expect(await tell(Device1.connect) == "OK")
        #expect(
            await tell(Device1.pair)
                == "org.bluez.Error.NotSupported: Operation is not supported")
        fake.loseLink(PeripheralIdentity("00:AA:01:01:00:01"))
        try await client.hears("\(Self.central) Connected=false ServicesResolved=false")
        #expect(toldOfCentral.count == 2)
        // A link that ends before that is never announced.
        fake.timing.meeting = .seconds(3600)
        _ = await client.say(Device1.connect, Device1.interfaceName, Self.device)
        fake.loseLink(PeripheralIdentity("00:AA:01:01:00:01"))
        try await client.wait { signals in
            signals.count { $0.hasPrefix("dev_00_AA_01_01_00_01 Connected=false") } == 2
        }
        #expect(toldOfCentral.count == 2)
    }

    private func path(_ kind: Kind) async throws -> String {
        let objects = try await client.objects()
        let found = objects.first { path, interfaces in
            path.hasPrefix(Self.device)
                && interfaces[GattCharacteristic1.interfaceName]?["UUID"]?.string == kind.uuid
        }
        return try #require(found?.key)
    }

    private func write(
        _ kind: Kind, _ value: [UInt8], _ options: [String: DBusValue] = [:]
    ) async throws -> String {
        await client.say(
            GattCharacteristic1.writeValue, GattCharacteristic1.interfaceName,
            try await path(kind), .bytes(value), .properties(options))
    }

    private func read(_ kind: Kind) async throws -> String {
        await client.say(
            GattCharacteristic1.readValue, GattCharacteristic1.interfaceName,
            try await path(kind), .properties([:]))
    }

    @Test func requestsToAProgram() async throws {
        fake.timing.fading = nil
        try await begin()
        #expect(
            await client.property(Device1.rssi, Device1.interfaceName, Self.device) == .int16(-50))
        // Nothing is said of reading: the program is asked. It may be written only: it is not.
        #expect(try await read(.notify) == "OK")
        let told = options.withLock { $0 }
        #expect(told?[AttributeOption.device]?.objectPath?.text == Self.central)
        #expect(told?[AttributeOption.mtu]?.integer == 517)
        #expect(told?[AttributeOption.link]?.string == AttributeOption.lowEnergy)
        #expect(
            try await read(.write) == "org.bluez.Error.NotPermitted: Read not permitted")
        #expect(
            try await write(.write, [1])
                == "org.bluez.Error.NotAuthorized: Operation Not Authorized")
        #expect(
            try await write(.write, [UInt8](repeating: 0, count: 510))
                == "org.bluez.Error.NotAuthorized: Operation Not Authorized")
        #expect(
            try await write(.write, [UInt8](repeating: 0, count: 511))
                == "org.bluez.Error.InvalidArguments: Invalid Length")
        #expect(
            asked.withLock { $0 } == [
                "notify ReadValue", "write WriteValue", "write WriteValue",
            ])
    }

    /// A program's value is cut to the packet, and to the longest value.
    @Test(arguments: [(517, 512), (23, 20)])
    func valuesOfAProgramAreCut(_ mtu: Int, _ length: Int) async throws {
        fake.quirks.mtu = mtu
        try await begin()
        let answer = await client.say(
            GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
            try await path(.notify))
        #expect(answer == "OK")
        let value = [UInt8](repeating: 7, count: 600)
        try program.emit(
            DBusSignal(
                DBusProperties.propertiesChanged, of: DBusProperties.interfaceName,
                at: try DBusObjectPath("/app/service/notify"),
                [
                    .string(GattCharacteristic1.interfaceName),
                    .properties([GattCharacteristic1.value: .bytes(value)]),
                    .strings([String]()),
                ]))
        try await client.hears(" Value=\(Array(value.prefix(length)))")
    }

    /// Pieces begin at the central's offset, up to 508 bytes.
    @Test func aProgramGetsTheOffsetOfALongWrite() async throws {
        try await begin()
        func write(_ count: Int, at offset: UInt16) async throws -> String {
            try await self.write(
                .write, [UInt8](repeating: 0, count: count), ["offset": .uint16(offset)])
        }
        #expect(
            try await write(8, at: 500) == "org.bluez.Error.NotAuthorized: Operation Not Authorized"
        )
        #expect(
            try await write(9, at: 500) == "org.bluez.Error.InvalidArguments: Invalid Length")
        #expect(asked.withLock { $0 } == ["write WriteValue at 500"])
    }

    /// With a program go its services and its advertisement; the link stays.
    @Test func aProgramLeavesTheBus() async throws {
        try await begin()
        client.forget()
        program.close()
        try await client.wait { signals in
            signals.contains { $0.hasPrefix("-") && $0.hasSuffix("GattService1") }
        }
        #expect(!client.signals.contains { $0.contains("Connected=false") })
        fake.loseLink(PeripheralIdentity("00:AA:01:01:00:01"))
        try await client.hears("dev_00_AA_01_01_00_01 Connected=false")
        client.forget()
        fake.timing.unreachable = .milliseconds(50)
        let answer = await client.say(Device1.connect, Device1.interfaceName, Self.device)
        #expect(answer.hasSuffix("le-connection-abort-by-local"))
        // Another one can take its place.
        let other = try await fake.bus.connect()
        try other.export(
            DBusObject(
                [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: [:]]),
            at: try DBusObjectPath("/advertisement"))
        _ = try await other.call(
            DBusCall(
                LEAdvertisingManager1.registerAdvertisement,
                of: LEAdvertisingManager1.interfaceName,
                at: try DBusObjectPath("/org/bluez/hci1"), on: BlueZDaemon.name,
                [.objectPath(try DBusObjectPath("/advertisement")), .properties([:])]))
        #expect(
            await client.say(Device1.connect, Device1.interfaceName, Self.device) == "OK")
    }

    @Test(arguments: [false, true])
    func repliesInPlaceOfAProgram(_ atOnce: Bool) async throws {
        fake.quirks.answersForPrograms = atOnce
        try await begin()
        #expect(try await write(.command, [1]) == "OK")
        let answer = await client.say(
            GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
            try await path(.notify))
        #expect(answer == "OK")
        #expect(try await read(.notify) == "OK")
        #expect(
            asked.withLock { $0 } == [
                "command WriteValue", "notify StartNotify", "notify ReadValue",
            ])
    }
}
