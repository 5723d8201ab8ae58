import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport

@testable import HaloBlueZ

/// A minimal daemon for programs that register a device: one adapter and its two managers, which
/// record calls and reply as the test demands.
final class HostingDaemon: Sendable {
    struct State {
        var calls: [String] = []
        var refusals: [String: DBusRefusal] = [:]
        var application: DBusObjectPath?
        var advertisement: DBusObjectPath?
        var program: String?
        var isSilent = false
        var unanswered: [DBusRequest] = []
    }

    let bus: PrivateBus
    let connection: DBusConnection
    let state = Locked(State())
    static let adapter = path("/org/bluez/hci7")
    static let central = path("/org/bluez/hci7/dev_00_AA_01_00_00_00")

    static func path(_ text: String) -> DBusObjectPath { (try? DBusObjectPath(text)) ?? .root }

    init(
        on bus: PrivateBus, managers: [DBusInterface] = allManagers, powered: Bool = true
    ) async throws {
        self.bus = bus
        connection = try await bus.connect()
        try connection.export(DBusObject(objectManager: .ownInterfaces), at: .root)
        try export(managers, powered: powered)
        _ = try await connection.requestName(BlueZDaemon.name)
    }

    static let allManagers = [GattManager1.interface, LEAdvertisingManager1.interface]

    func export(_ managers: [DBusInterface] = allManagers, powered: Bool = true) throws {
        let adapter = DBusObject(
            [Adapter1.interface] + managers,
            values: [
                Adapter1.interfaceName: [
                    Adapter1.address: .string("00:AA:01:01:00:01"),
                    Adapter1.alias: .string("computer"), Adapter1.powered: .boolean(powered),
                    Adapter1.roles: .strings(["central", "peripheral"]),
                ]
            ])
        try connection.export(adapter, at: Self.adapter) { [weak self] in self?.asked($0) }
    }

    private func asked(_ request: DBusRequest) {
        if case .property(let name, let value) = request.subject {
            state.withLock { $0.calls.append("\(name)=\(value.string ?? "\(value)")") }
            return request.accept()
        }
        let isSilent = state.withLock { state in
            if state.isSilent { state.unanswered.append(request) }
            return state.isSilent
        }
        if isSilent { return }
        let refusal = state.withLock { state in
            state.calls.append(request.member)
            state.program = request.sender
            return state.refusals[request.member]
        }
        if let refusal { return request.refuse(refusal) }
        state.withLock { state in
            let path = request.arguments.first?.objectPath
            switch request.member {
            case GattManager1.registerApplication: state.application = path
            case GattManager1.unregisterApplication: state.application = nil
            case LEAdvertisingManager1.registerAdvertisement: state.advertisement = path
            case LEAdvertisingManager1.unregisterAdvertisement: state.advertisement = nil
            default: break
            }
        }
        request.reply()
    }

    var calls: [String] { state.withLock { $0.calls } }

    func refuse(_ method: String, _ name: String, _ text: String = "") {
        state.withLock { $0.refusals[method] = DBusRefusal(name, text) }
    }

    /// The program's objects.
    func objects() async throws -> [DBusEntry] {
        let (application, program) = state.withLock { ($0.application, $0.program) }
        let reply = try await connection.call(
            DBusCall(
                DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
                at: application ?? .root,
                on: program ?? ""))
        return reply.values.first?.entries ?? []
    }

    /// The properties of the program's advertisement.
    func advertised() async throws -> DBusValue? {
        let (path, program) = state.withLock { ($0.advertisement, $0.program) }
        guard let path else { return nil }
        return try await connection.call(
            DBusCall(
                DBusProperties.getAll, of: DBusProperties.interfaceName, at: path,
                on: program ?? "",
                [.string(LEAdvertisement1.interfaceName)])
        ).values.first
    }

    /// The path of a characteristic's object.
    func place(of uuid: BluetoothUUID, in interface: String) async throws -> DBusObjectPath? {
        try await objects().first { entry in
            entry.value[interface]?["UUID"]?.string == uuid.busText
        }?.key.objectPath
    }

    /// Calls a characteristic, as the daemon does for a central.
    func ask(
        _ member: String, of uuid: BluetoothUUID, _ arguments: [DBusValue] = [],
        options: [String: DBusValue]? = nil,
        in interface: String = GattCharacteristic1.interfaceName
    ) async throws -> DBusReply {
        let path = try await place(of: uuid, in: interface)
        let program = state.withLock { $0.program }
        let all = arguments + (options.map { [.properties($0)] } ?? [])
        return try await connection.call(
            DBusCall(member, of: interface, at: path ?? .root, on: program ?? "", all))
    }

    /// The options of a request from a central.
    static func options(
        _ more: [String: DBusValue] = [:], central: DBusObjectPath = central
    ) -> [String: DBusValue] {
        let usual: [String: DBusValue] = [
            AttributeOption.device: .objectPath(central), AttributeOption.mtu: .uint16(100),
            AttributeOption.link: .string(AttributeOption.lowEnergy),
        ]
        return usual.merging(more) { $1 }
    }

    /// Adds a device, connected or not.
    func add(_ device: DBusObjectPath = central, connected: Bool) throws {
        let object = DBusObject(
            [Device1.interface],
            values: [
                Device1.interfaceName: [
                    Device1.adapter: .objectPath(Self.adapter),
                    Device1.connected: .boolean(connected),
                ]
            ])
        try connection.export(object, at: device) { [weak self] request in
            self?.state.withLock { $0.calls.append(request.member) }
            request.reply()
        }
    }

    func set(_ device: DBusObjectPath = central, connected: Bool) throws {
        try connection.set(
            [Device1.connected: .boolean(connected)], of: Device1.interfaceName, at: device)
    }
}

/// Waits until a condition holds; `false` after the limit.
func eventually(
    within limit: Duration = .seconds(30), _ holds: () async throws -> Bool
) async throws -> Bool {
    do {
        try await eventually("what is expected", within: limit, holds)
        return true
    } catch is NeverSo {
        return false
    }
}
