import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The doctor on all kinds of buses: with a daemon, without one, with another owner of the name,
/// and without a bus.
@Suite(.takesTurns) struct DoctorBusTests {
    private static let adapterPath = "/org/bluez/hci0"

    /// An owner of the daemon's name with these interfaces at an adapter's path.
    private func daemon(
        on bus: PrivateBus, _ interfaces: [DBusInterface],
        _ values: [String: [String: DBusValue]]
    ) async throws -> DBusConnection {
        let daemon = try await bus.connect()
        try daemon.export(DBusObject(objectManager: .allInterfaces), at: .root)
        try daemon.export(
            DBusObject([AgentManager1.interface]), at: BlueZDaemon.root)
        try daemon.export(
            DBusObject(interfaces, values: values), at: try DBusObjectPath(Self.adapterPath))
        _ = try await daemon.requestName(BlueZDaemon.name)
        return daemon
    }

    private func diagnosis(
        _ bus: PrivateBus, timeout: Duration = .seconds(60)
    ) async throws -> BlueZDiagnosis {
        await BlueZDoctor.examine(
            BlueZOptions(bus: try bus.listen().description), timeout: timeout)
    }

    private func problems(_ diagnosis: BlueZDiagnosis) -> [String] {
        diagnosis.findings.filter { $0.severity == .problem }.map(\.sentence)
    }

    @Test func findsNoProblemInAHealthyDaemon() async throws {
        let bus = try PrivateBus()
        let daemon = try await daemon(
            on: bus, [Adapter1.interface, GattManager1.interface, LEAdvertisingManager1.interface],
            [
                Adapter1.interfaceName: [
                    Adapter1.address: .string("00:AA:01:00:00:00"),
                    Adapter1.powered: .boolean(true),
                    Adapter1.discovering: .boolean(false),
                    Adapter1.modalias: .string("usb:v1D6Bp0246d0542"),
                    Adapter1.roles: .strings(["central", "peripheral"]),
                ],
                LEAdvertisingManager1.interfaceName: [
                    LEAdvertisingManager1.activeInstances: .byte(4),
                    LEAdvertisingManager1.supportedInstances: .byte(1),
                ],
            ])
        let diagnosis = try await diagnosis(bus)
        #expect(problems(diagnosis) == [])
        #expect(diagnosis.daemonVersion == "5.66")
        #expect(diagnosis.adapter == "hci0")
        let sentences = diagnosis.findings.map(\.sentence)
        #expect(sentences.contains("hci0 can act as a device, with room for 1 advertisement."))
        // It is this program that owns the name, and not bluetoothd.
        #expect(diagnosis.findings.contains { $0.subject == .settings && $0.severity == .hint })
        withExtendedLifetime(daemon) {}
    }

    /// Properties of any type neither trap nor count as valid.
    @Test(arguments: [
        DBusValue.byte(1), .string("\u{1B}[2J"), .double(.nan), .bytes([1, 2]),
        .array(.variant, [.variant(.variant(.boolean(true)))]), .structure([.int64(.min)]),
        .dictionary(key: .string, value: .string, []), .uint64(.max),
        .objectPath(.root),
    ])
    func survivesAnyProperty(value: DBusValue) async throws {
        let bus = try PrivateBus()
        func odd(_ interface: DBusInterface) -> DBusInterface {
            DBusInterface(
                interface.name, properties: interface.properties.map { .init($0.name, value.type) })
        }
        let interfaces = [odd(Adapter1.interface), odd(LEAdvertisingManager1.interface)]
        var values: [String: [String: DBusValue]] = [:]
        for interface in interfaces {
            for property in interface.properties {
                values[interface.name, default: [:]][property.name] = value
            }
        }
        let daemon = try await daemon(on: bus, interfaces, values)
        let diagnosis = try await diagnosis(bus)
        #expect(!diagnosis.isUsable)
        #expect(diagnosis.daemonVersion == nil)
        for finding in diagnosis.findings {
            let text = finding.sentence + (finding.evidence ?? "") + (finding.command ?? "")
            #expect(text.utf8.allSatisfy { $0 >= 0x20 })
        }
        withExtendedLifetime(daemon) {}
    }

    @Test func findsABusWithoutADaemon() async throws {
        let diagnosis = try await diagnosis(PrivateBus())
        #expect(
            problems(diagnosis) == ["There is no daemon on this bus, which is not the usual one."])
        #expect(diagnosis.adapter == nil)
    }

    @Test func findsADaemonWithoutAdapters() async throws {
        let bus = try PrivateBus()
        let daemon = try await daemon(on: bus, [], [:])
        let diagnosis = try await diagnosis(bus)
        #expect(diagnosis.findings.contains { $0.subject == .adapter && $0.severity == .problem })
        withExtendedLifetime(daemon) {}
    }

    /// Other owners of the daemon's name: they refuse, reply with something else, or do not reply.
    @Test(arguments: ["denied", "other", "silent", "gone"])
    func findsAnotherOwnerOfTheName(kind: String) async throws {
        let bus = try PrivateBus()
        let somebody = try await bus.connect()
        let asked = Locked<[DBusRequest]>([])
        let manager = DBusInterface(
            DBusObjectManager.interfaceName,
            methods: [
                .init(DBusObjectManager.getManagedObjects, returns: [.init("what", .string)])
            ])
        if kind != "gone" {
            try somebody.export(DBusObject([manager]), at: .root) { request in
                switch kind {
                case "denied": request.refuse(.accessDenied("Rejected \u{1B}[1m"))
                case "other": request.reply([.string("no objects")])
                default: asked.withLock { $0.append(request) }
                }
            }
        }
        _ = try await somebody.requestName(BlueZDaemon.name)
        let diagnosis = try await diagnosis(
            bus, timeout: kind == "silent" ? .seconds(2) : .seconds(60))
        #expect(problems(diagnosis).count == 1)
        let subject: BlueZFinding.Subject = kind == "denied" ? .permission : .daemon
        #expect(diagnosis.findings.contains { $0.subject == subject && $0.severity == .problem })
        let words = ["denied": "policy", "other": "as BlueZ does", "silent": "does not answer"]
        #expect(problems(diagnosis)[0].contains(words[kind] ?? "cannot be reached"))
        asked.withLock { requests in
            defer { requests = [] }
            return requests
        }.forEach { $0.reply() }
    }

    @Test func findsNoBus() async throws {
        let nowhere = DBusAddress(.path("/nonexistent/\u{1B}[2Jbus"))
        let diagnosis = await BlueZDoctor.examine(BlueZOptions(bus: nowhere.description))
        #expect(problems(diagnosis) == [#"There is no bus at "/nonexistent/\x1B[2Jbus"."#])
        #expect(diagnosis.findings.count == 1)
        let none = await BlueZDoctor.examine(BlueZOptions(bus: ""))
        #expect(problems(none) == ["The given text is not a valid D-Bus address."])
    }

    /// The source of the bus's address: the program, the environment, or neither.
    @Test func knowsTheSourceOfTheAddress() async throws {
        let given = DBusAddress(.path("/nonexistent/bus"))
        let told = await BlueZFacts.collect(
            BlueZOptions(bus: given.description), timeout: .seconds(5)
        ).bus
        #expect(told.source == .option && told.addresses == [given])
        #expect(told.access == .missing && told.error?.kind == .unreachable)
        let usual = await BlueZFacts.collect(BlueZOptions(), timeout: .seconds(5)).bus
        let variable = LocalSystem.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? ""
        #expect(usual.source == (variable.isEmpty ? .usualPlace : .environment))
        if let addresses = try? DBusAddress.systemBus() { #expect(usual.addresses == addresses) }
    }

    /// A diagnosis of this computer, whatever its state: each problem has a text.
    @Test func diagnosesThisComputer() async {
        let diagnosis = await BlueZDoctor.examine()
        #expect(diagnosis.findings.first?.subject == .bus)
        #expect(diagnosis.findings.allSatisfy { !$0.sentence.isEmpty })
    }
}
