import BlueZVocabulary
import HaloDBus
import HaloTransport

@testable import HaloBlueZ

/// A daemon with one connected device. A test controls its reaction to each request.
final class HostileDaemon: Sendable {
    typealias Answer = @Sendable (DBusRequest, HostileDaemon) -> Void

    static let service = Tree.path("\(Tree.device)/service0001")
    static let characteristic = Tree.path("\(service)/char0002")
    static let serviceUUID = "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"
    static let uuid = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    let bus: PrivateBus
    let connection: DBusConnection
    private let answer: Locked<Answer>
    private let asked = Locked<[String]>([])

    init(mtu: DBusValue = .uint16(23), _ answer: @escaping Answer = { $0.reply($1) }) async throws {
        bus = try PrivateBus()
        connection = try await bus.connect()
        self.answer = Locked(answer)
        try export([:], nil, at: .root)
        try export(
            [Adapter1.interfaceName: Tree.adapterProperties], Adapter1.interface, at: Tree.hci0)
        try export([:], AgentManager1.interface, at: BlueZDaemon.root)
        try export(
            [Device1.interfaceName: Tree.deviceProperties], Device1.interface, at: Tree.device)
        try export(
            [
                GattService1.interfaceName: [
                    GattService1.uuid: .string(Self.serviceUUID),
                    GattService1.device: .objectPath(Tree.device),
                    GattService1.primary: .boolean(true),
                ]
            ], GattService1.interface, at: Self.service)
        try export(
            [
                GattCharacteristic1.interfaceName: [
                    GattCharacteristic1.uuid: .string(Self.uuid),
                    GattCharacteristic1.service: .objectPath(Self.service),
                    GattCharacteristic1.flags: .strings(
                        ["notify", "read", "write", "write-without-response"]),
                    GattCharacteristic1.mtu: mtu,
                ]
            ], GattCharacteristic1.interface, at: Self.characteristic)
        _ = try await connection.requestName(BlueZDaemon.name)
    }

    private func export(
        _ values: [String: [String: DBusValue]], _ interface: DBusInterface?,
        at path: DBusObjectPath
    ) throws {
        let object =
            interface.map { DBusObject([$0], values: values) }
            ?? DBusObject(objectManager: .ownInterfaces)
        try connection.export(object, at: path) { [weak self] request in
            guard let self else { return }
            asked.withLock { $0.append(request.member) }
            let answer = answer.withLock { $0 }
            answer(request, self)
        }
    }

    /// The members of all calls.
    var members: [String] { asked.withLock { $0 } }

    /// Signals that the device is connected or disconnected.
    func set(connected: Bool) {
        try? connection.set(
            [
                Device1.connected: .boolean(connected),
                Device1.servicesResolved: .boolean(connected),
            ], of: Device1.interfaceName, at: Tree.device)
    }

    /// Signals a value.
    func tell(_ value: [UInt8]) {
        try? connection.set(
            [GattCharacteristic1.value: .bytes(value)], of: GattCharacteristic1.interfaceName,
            at: Self.characteristic)
    }
}

extension DBusRequest {
    /// Replies as a working daemon does.
    func reply(_ daemon: HostileDaemon) {
        switch member {
        case Device1.connect:
            daemon.set(connected: true)
            reply()
        case Device1.disconnect:
            daemon.set(connected: false)
            reply()
        case GattCharacteristic1.readValue: reply([.bytes([1])])
        default: reply()
        }
    }
}
