import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import FakeBlueZ

@Suite("What programs register with the fake daemon", .takesTurns)
struct RegistrarTests {
    private static func path(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }

    private let fake: FakeBlueZ
    private let program: DBusConnection
    private let adapter = path("/org/bluez/hci0")
    private let application = path("/app")
    private let advertisement = path("/advertisement")

    init() async throws {
        fake = try await FakeBlueZ()
        program = try await fake.bus.connect()
    }

    private func ask(
        _ method: String, _ interface: String, _ path: DBusObjectPath, _ more: [DBusValue] = [],
        at object: DBusObjectPath? = nil
    ) async throws {
        _ = try await program.call(
            DBusCall(
                method, of: interface, at: object ?? adapter, on: BlueZDaemon.name,
                [.objectPath(path)] + more))
    }

    private func refusal(_ body: () async throws -> Void) async -> DBusError? {
        await #expect(throws: DBusError.self) { try await body() }
    }

    private func export(
        service: [String: DBusValue], characteristic: [String: DBusValue]? = nil
    ) throws {
        try program.export(DBusObject(objectManager: .ownInterfaces), at: application)
        if let characteristic {
            try program.export(
                DBusObject(
                    [GattCharacteristic1.applicationInterface],
                    values: [GattCharacteristic1.interfaceName: characteristic]),
                at: Self.path("/app/service/characteristic"))
        }
        try program.export(
            DBusObject(
                [GattService1.applicationInterface],
                values: [GattService1.interfaceName: service]),
            at: Self.path("/app/service"))
    }

    private func register() async throws {
        try await ask(
            GattManager1.registerApplication, GattManager1.interfaceName, application,
            [.properties([:])])
    }

    /// The numbers that the controller of the emulator and the daemon have.
    @Test func numbersAreThoseOfTheDaemon() {
        #expect(FakeRegistrar.maximumAdvertisements == 5)
        #expect(FakeRegistrar.timeout == .seconds(20))
    }

    @Test("an application is registered once, and unregistered once")
    func applications() async throws {
        try export(service: ["UUID": .string("180d"), "Primary": .boolean(true)])
        try await register()
        #expect(await refusal { try await register() }?.name == BlueZErrorName.alreadyExists)
        try await ask(
            GattManager1.unregisterApplication, GattManager1.interfaceName, application)
        let error = await refusal {
            try await ask(
                GattManager1.unregisterApplication, GattManager1.interfaceName, application)
        }
        #expect(error?.name == BlueZErrorName.doesNotExist)
    }

    @Test(
        "an invalid application is refused with the reason",
        arguments: [
            (
                ["UUID": DBusValue.string("1800"), "Primary": .boolean(true)],
                DBusRefusal.noEntry.details
            ),
            (["UUID": .string("1801"), "Primary": .boolean(true)], DBusRefusal.noEntry.details),
            (["UUID": .string("180d")], DBusRefusal.noEntry.details),
            (["UUID": .string("?"), "Primary": .boolean(true)], DBusRefusal.noEntry.details),
        ])
    func refusesWrongOnes(_ service: [String: DBusValue], _ text: String) async throws {
        #expect(await refusal { try await register() }?.details == DBusRefusal.noObject.details)
        try export(service: service)
        #expect(await refusal { try await register() }?.details == text)
    }

    @Test(
        "an invalid characteristic makes the daemon refuse the application",
        arguments: [
            (["read", "authorize", "reliable-write", "encrypt-write"], "2a37", nil),
            (["read", "nonsense"], "2a37", DBusRefusal.noService.details),
            ([], "2a37", DBusRefusal.noService.details),
            (nil, "2a37", DBusRefusal.noService.details),
            (["read"], "?", DBusRefusal.noEntry.details),
        ] as [([String]?, String, String?)])
    func refusesWrongCharacteristics(
        _ flags: [String]?, _ uuid: String, _ text: String?
    ) async throws {
        var characteristic: [String: DBusValue] = [
            "UUID": .string(uuid), "Service": .objectPath(Self.path("/app/service")),
        ]
        characteristic["Flags"] = flags.map { .strings($0) }
        try export(
            service: ["UUID": .string("180d"), "Primary": .boolean(true)],
            characteristic: characteristic)
        guard let text else { return try await register() }
        #expect(await refusal { try await register() }?.details == text)
    }

    private func advertise(_ values: [String: DBusValue], at path: DBusObjectPath) async throws {
        program.unexport(path)
        try program.export(
            DBusObject(
                [LEAdvertisement1.interface],
                values: [LEAdvertisement1.interfaceName: values]), at: path)
        try await ask(
            LEAdvertisingManager1.registerAdvertisement, LEAdvertisingManager1.interfaceName,
            path, [.properties([:])])
    }

    private func instances() async throws -> [Int64?] {
        var counts: [Int64?] = []
        for name in [
            LEAdvertisingManager1.activeInstances, LEAdvertisingManager1.supportedInstances,
        ] {
            counts.append(try await count(name, for: program))
        }
        return counts
    }

    /// A number of the adapter's advertising manager.
    private func count(_ name: String, for client: DBusConnection) async throws -> Int64? {
        try await client.call(
            DBusCall(
                DBusProperties.get, of: DBusProperties.interfaceName, at: adapter,
                on: BlueZDaemon.name,
                [.string(LEAdvertisingManager1.interfaceName), .string(name)])
        ).first().integer
    }

    @Test("there is room for five advertisements, which are counted")
    func advertisements() async throws {
        let values: [String: DBusValue] = ["Type": .string("peripheral")]
        for number in 0..<5 { try await advertise(values, at: Self.path("/ad\(number)")) }
        #expect(try await instances() == [5, 0])
        let error = await refusal { try await advertise(values, at: Self.path("/ad5")) }
        #expect(error?.name == BlueZErrorName.notPermitted)
        #expect(error?.details == DBusRefusal.tooManyAdvertisements.details)
        try await ask(
            LEAdvertisingManager1.unregisterAdvertisement, LEAdvertisingManager1.interfaceName,
            Self.path("/ad0"))
        #expect(try await instances() == [4, 1])
        program.close()
        let other = try await fake.bus.connect()
        try await eventually("no advertisement of a program that has gone") {
            try await count(LEAdvertisingManager1.activeInstances, for: other) == 0
        }
    }

    @Test("an advertisement that cannot be read, or is too long, is refused")
    func refusesWrongAdvertisements() async throws {
        func companies(_ data: [UInt8]) -> DBusValue {
            .dictionary(
                key: .uint16, value: .variant, [DBusEntry(.uint16(1), .variant(.bytes(data)))])
        }
        func structures(_ type: UInt8) -> DBusValue {
            .dictionary(
                key: .byte, value: .variant, [DBusEntry(.byte(type), .variant(.bytes([1])))])
        }
        let long = "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"
        let wrong: [([String: DBusValue], String)] = [
            (["Type": .string("loud")], DBusRefusal.unreadable.details),
            (["LocalName": .uint16(1)], DBusRefusal.unreadable.details),
            (
                ["LocalName": .string("n"), "Includes": .strings(["local-name"])],
                DBusRefusal.unreadable.details
            ),
            (["ManufacturerData": companies([])], DBusRefusal.unreadable.details),
            (
                ["ManufacturerData": companies(Array(repeating: 0, count: 28))],
                DBusRefusal.unreadable.details
            ),
            (["ServiceData": .properties(["180f": .bytes([])])], DBusRefusal.unreadable.details),
            (
                ["ServiceData": .properties(["180f": .bytes(Array(repeating: 0, count: 30))])],
                DBusRefusal.unreadable.details
            ),
            (["Data": structures(0x16)], DBusRefusal.unreadable.details),
            (
                [
                    "ServiceUUIDs": .strings([long]),
                    "ManufacturerData": companies(Array(repeating: 0, count: 10)),
                ], DBusRefusal.notTaken.details
            ),
            (
                ["Type": .string("broadcast"), "Discoverable": .boolean(true)],
                DBusRefusal.unreadable.details
            ),
            (
                ["Type": .string("peripheral"), "ServiceUUIDs": .strings(["?"])],
                DBusRefusal.unreadable.details
            ),
        ]
        for (values, text) in wrong {
            let error = await refusal { try await advertise(values, at: advertisement) }
            #expect(error?.name == BlueZErrorName.failed)
            #expect(error?.details == text, "\(values)")
        }
        #expect(try await instances() == [0, 5])
    }

    @Test("an advertisement of an adapter that is off is refused; odd ones are taken")
    func takesOddAdvertisements() async throws {
        fake.setPowered(false)
        let error = await refusal { try await advertise([:], at: advertisement) }
        #expect(error?.details == DBusRefusal.notTaken.details)
        fake.setPowered(true)
        func structures(_ type: UInt8) -> DBusValue {
            .dictionary(
                key: .byte, value: .variant, [DBusEntry(.byte(type), .variant(.bytes([1])))])
        }
        let right: [[String: DBusValue]] = [
            [:], ["LocalName": .string(String(repeating: "n", count: 300))],
            ["MinInterval": .uint32(9), "MaxInterval": .uint32(1)],
            ["Data": structures(0x26)], ["Includes": .strings(["nonsense"])],
        ]
        for (number, values) in right.enumerated() {
            try await advertise(values, at: Self.path("/ad\(number)"))
        }
        #expect(try await instances() == [5, 0])
    }

    @Test("an advertisement without `Discoverable` is as its adapter")
    func isAsDiscoverableAsItsAdapter() async throws {
        fake.addAdapter()
        let client = try await FakeClient(fake)
        try await advertise(["LocalName": .string("plain")], at: advertisement)
        let found = "+/org/bluez/hci1/dev_00_AA_01_00_00_00 Device1"
        let start = Adapter1.startDiscovery
        #expect(await client.say(start, Adapter1.interfaceName, "/org/bluez/hci1") == "OK")
        fake.add(VirtualRing(.r02), address: "C0:DE:00:00:00:44")
        try await client.hears("+/org/bluez/hci1/dev_C0_DE_00_00_00_44 Device1")
        #expect(!client.signals.contains { $0.hasPrefix(found) })
        let shown: [DBusValue] = [
            .string(Adapter1.interfaceName), .string(Adapter1.discoverable),
            .variant(.boolean(true)),
        ]
        _ = try await program.call(
            DBusCall(
                DBusProperties.set, of: DBusProperties.interfaceName, at: adapter,
                on: BlueZDaemon.name, shown))
        try await client.hears(found)
    }

    @Test("a client has one agent, which may be the default one")
    func agents() async throws {
        let manager = BlueZDaemon.root
        let agent = Self.path("/agent")
        func ask(_ method: String, _ more: [DBusValue] = []) async throws {
            try await self.ask(method, AgentManager1.interfaceName, agent, more, at: manager)
        }
        let absent = await refusal { try await ask(AgentManager1.requestDefaultAgent) }
        #expect(absent?.name == BlueZErrorName.doesNotExist)
        let odd = await refusal { try await ask(AgentManager1.registerAgent, [.string("Odd")]) }
        #expect(odd?.name == BlueZErrorName.invalidArguments)
        try await ask(AgentManager1.registerAgent, [.string("NoInputNoOutput")])
        let second = await refusal {
            try await ask(AgentManager1.registerAgent, [.string("NoInputNoOutput")])
        }
        #expect(second?.name == BlueZErrorName.alreadyExists)
        try await ask(AgentManager1.requestDefaultAgent)
        try await ask(AgentManager1.unregisterAgent)
        let gone = await refusal { try await ask(AgentManager1.unregisterAgent) }
        #expect(gone?.name == BlueZErrorName.doesNotExist)
    }
}
