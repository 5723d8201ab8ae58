import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import BlueZVocabulary
@testable import HaloBlueZ
@testable import HaloDBus

/// A daemon whose replies have the right types and make no sense.
@Suite("A hostile daemon", .takesTurns)
struct MalformedDaemonTests {
    private func connect(
        _ daemon: HostileDaemon, _ pairing: BlueZPairing? = nil
    ) async throws -> (BLELink, GATTCharacteristic) {
        let transport = try await BlueZTransport(
            BlueZOptions(bus: try daemon.bus.listen().description, pairing: pairing))
        let link = try await transport.connect(to: PeripheralIdentity(Tree.address))
        let service = try BluetoothUUID(parsing: HostileDaemon.serviceUUID)
        let uuid = try BluetoothUUID(parsing: HostileDaemon.uuid)
        return (link, try await link.characteristic(uuid, of: service))
    }

    @Test(
        "impossible packet lengths are ignored",
        arguments: [0, 1, 22, 23, 517, UInt16.max])
    func survivesLengths(_ mtu: UInt16) async throws {
        let daemon = try await HostileDaemon(mtu: .uint16(mtu))
        let (link, characteristic) = try await connect(daemon)
        let length = link.maximumWriteLength(for: .withoutResponse)
        #expect((20...510).contains(length))
        let longest = [UInt8](repeating: 1, count: length)
        try await link.write(longest, to: characteristic, .withoutResponse)
        await link.disconnect()
    }

    @Test("a value that is too long is delivered, and the link goes on")
    func survivesGiants() async throws {
        let giant = [UInt8](repeating: 7, count: 1 << 20)
        let daemon = try await HostileDaemon { request, daemon in
            if request.member == GattCharacteristic1.readValue {
                request.reply([.bytes(giant)])
            } else {
                request.reply(daemon)
            }
        }
        let (link, characteristic) = try await connect(daemon)
        let values = try await link.notifications(of: characteristic)
        for value in [giant, [], [1]] { daemon.tell(value) }
        var iterator = values.makeAsyncIterator()
        for value in [giant, [], [1]] { #expect(try await iterator.next()?.value == value) }
        #expect(try await link.read(characteristic) == giant)
        await link.disconnect()
    }

    @Test("a flood of devices is bounded, and the wanted one is found")
    func survivesFloods() async throws {
        let daemon = try await HostileDaemon()
        var options = BlueZOptions()
        options.bus = try daemon.bus.listen().description
        let transport = try await BlueZTransport(options)
        let link = try await transport.connect(to: PeripheralIdentity(Tree.address))
        _ = try await link.services
        for number in 0..<6000 {
            var properties = Tree.deviceProperties
            properties[Device1.address] = .string("C0:\(number)")
            let object = DBusObject(
                [Device1.interface], values: [Device1.interfaceName: properties])
            try daemon.connection.export(
                object, at: Tree.path("/org/bluez/hci0/flood\(number)"))
        }
        daemon.set(connected: false)
        // This comes after all of it.
        #expect(try await eventually { link.disconnectReason != nil })
        #expect(
            transport.hub.read { $0.mirror.devices.count } == BlueZMirror.maximumDevices)
        let again = try await transport.connect(to: PeripheralIdentity(Tree.address))
        #expect(try await again.services.count == 1)
        await again.disconnect()
    }

    @Test("the agent rejects all but requests without interaction for its own device")
    func keepsTheAgent() async throws {
        let daemon = try await HostileDaemon()
        let (link, _) = try await connect(daemon, BlueZPairing())
        #expect(daemon.members.contains(AgentManager1.registerAgent))
        let path = BlueZSession.agentPath
        let names =
            try await daemon.connection.call(
                DBusCall("ListNames", of: DBusName.bus, at: .bus, on: DBusName.bus)
            ).first().elements?.compactMap(\.string) ?? []
        let programs = names.filter { $0.hasPrefix(":") && $0 != daemon.connection.uniqueName }
        let program = try #require(programs.first)
        for method in Agent1.interface.methods {
            for device in [Tree.device, Tree.hci1] {
                let values = method.inputs.map { value(of: $0.type, device) }
                let call = DBusCall(
                    method.name, of: Agent1.interfaceName, at: path, on: program, values)
                let error = await failure { _ = try await daemon.connection.call(call) }
                let isAllowed = Agent1.accepts(method.name, isOurs: device == Tree.device)
                #expect((error == nil) == isAllowed, "\(method.name): \(String(describing: error))")
                // Values of other types are no questions.
                let wrong = DBusCall(
                    method.name, of: Agent1.interfaceName, at: path, on: program,
                    [.double(1), .strings(["?"])])
                let refusal = await failure { _ = try await daemon.connection.call(wrong) }
                #expect(refusal is DBusError)
            }
        }
        await link.disconnect()
    }

    private func value(of type: DBusType, _ device: DBusObjectPath) -> DBusValue {
        switch type {
        case .objectPath: .objectPath(device)
        case .uint32: .uint32(.max)
        case .uint16: .uint16(.max)
        default: .string("?")
        }
    }
}
