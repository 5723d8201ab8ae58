#if os(Linux)
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import BlueZVocabulary
@testable import HaloBlueZ
@testable import HaloDBus

/// A daemon whose replies have the right types and make no sense.
@Suite("A hostile daemon", .takesTurns)
struct HostileDaemonTests {
    /// An invalid offer of a socket.
    enum Offer: CaseIterable, Sendable {
        case nothing, tooFarBehind, stream, dead, many, noLength, greatLength

        func answer(_ request: DBusRequest, _ daemon: HostileDaemon) {
            switch request.member {
            case GattCharacteristic1.acquireNotify, GattCharacteristic1.acquireWrite:
                answerWithSocket(request)
            case GattCharacteristic1.startNotify:
                request.reply()
                daemon.tell([42])
            default: request.reply(daemon)
            }
        }

        private func answerWithSocket(_ request: DBusRequest) {
            let length: UInt16 =
                switch self {
                case .noLength: 0
                case .greatLength: .max
                default: 23
                }
            let all = DBusDescriptors()
            let keepsPackets = self != .stream
            for _ in 0..<(self == .many ? 5 : 1) {
                guard self != .nothing,
                    let pair = try? DBusDescriptor.socketPair(keepingPackets: keepsPackets),
                    let ours = pair.take(0)
                else { continue }
                all.append(ours)
                guard self != .dead, let theirs = pair.take(1) else { continue }
                // A value, and the end.
                send([42], theirs)
            }
            request.reply(
                [.unixFD(self == .tooFarBehind ? 7 : 0), .uint16(length)], descriptors: all)
        }

        private func send(_ value: [UInt8], _ socket: consuming DBusDescriptor) {
            _ = SystemSocket.send(socket.number, packet: value)
        }
    }

    private func connect(
        _ daemon: HostileDaemon, _ options: BlueZOptions = BlueZOptions()
    ) async throws -> (BLELink, GATTCharacteristic) {
        var options = options
        options.bus = [try daemon.bus.listen()]
        let transport = try await BlueZTransport(options)
        let link = try await transport.connect(to: PeripheralIdentity(Tree.address))
        let service = try BluetoothUUID(parsing: HostileDaemon.serviceUUID)
        let uuid = try BluetoothUUID(parsing: HostileDaemon.uuid)
        return (link, try await link.characteristic(uuid, of: service))
    }

    @Test("values come whatever is given for a socket", arguments: Offer.allCases)
    func survivesSockets(_ offer: Offer) async throws {
        let daemon = try await HostileDaemon(offer.answer)
        let options = BlueZOptions(notifyMode: .sockets, acquiresWrites: true)
        let (link, characteristic) = try await connect(daemon, options)
        let values = try await link.notifications(of: characteristic)
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.value == [42])
        for _ in 0..<20 { try await link.write([1], to: characteristic, .withoutResponse) }
        #expect((20...510).contains(link.maximumWriteLength(.withoutResponse)))
        await link.disconnect()
        let asked = daemon.members.filter { $0 == GattCharacteristic1.acquireNotify }.count
        #expect(asked <= 3)
    }

    @Test(
        "impossible packet lengths are ignored",
        arguments: [0, 1, 22, 23, 517, UInt16.max])
    func survivesLengths(_ mtu: UInt16) async throws {
        let daemon = try await HostileDaemon(mtu: .uint16(mtu))
        let (link, characteristic) = try await connect(daemon)
        let length = link.maximumWriteLength(.withoutResponse)
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
        options.bus = [try daemon.bus.listen()]
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
        let (link, _) = try await connect(daemon, BlueZOptions(pairing: BlueZPairing()))
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
#endif
