import HaloCapture
import HaloDevices
import HaloProtocol
import HaloTransport

#if os(Linux)
import FakeBlueZ
#endif

struct LoggedPeripheral: GATTPeripheral {
    var base: any ControlledDevice
    let logsLight: Bool
    private var loggedLight: DeviceLight?
    /// Called in the middle of an event: it must return at once, and not use the device.
    private let log: @Sendable (SimulatorEvent) -> Void

    init(
        _ base: any ControlledDevice, logsLight: Bool,
        log: @escaping @Sendable (SimulatorEvent) -> Void
    ) {
        (self.base, self.logsLight, self.log) = (base, logsLight, log)
    }

    var services: [GATTService] { base.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if let logged = logged(event) { log(logged) }
        base.handle(event, at: now, into: &effects)
        guard logsLight, let light = base.deviceLight(at: now), light != loggedLight else {
            return
        }
        loggedLight = light
        log(
            SimulatorEvent(
                words: "the light is \(light.words)", type: "light",
                members: ["light": light.words]))
    }

    private func logged(_ event: PeripheralEvent) -> SimulatorEvent? {
        switch event {
        case .started, .woken, .changed, .maximumLength, .confirmed: return nil
        case .connected: return SimulatorEvent(words: "a program connects", type: "connected")
        case .disconnected: return SimulatorEvent(words: "it disconnects", type: "disconnected")
        case .read(let attribute, let offset, _):
            let name = name(attribute)
            // Another part of a value that is longer than a packet is no event.
            return offset == 0 ? .access(to: name, "it reads \(name)", "read") : nil
        case .subscription(let attribute, let isOn):
            let name = name(attribute)
            let words = isOn ? "it subscribes to \(name)" : "it unsubscribes from \(name)"
            return .access(to: name, words, "subscription", ["isOn": isOn])
        case .write(let attribute, let bytes, _): return write(bytes, to: attribute)
        }
    }

    private func name(_ attribute: AttributeID) -> String {
        for service in services {
            for characteristic in service.characteristics {
                if characteristic.id == attribute { return Self.name(characteristic.uuid) }
                for descriptor in characteristic.descriptors where descriptor.id == attribute {
                    return "\(descriptor.uuid) of \(Self.name(characteristic.uuid))"
                }
            }
        }
        return "attribute \(attribute.rawValue)"
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        CaptureChannel(uuid).knownName ?? uuid.descriptionWithName
    }

    /// The event of a write: with the name of the packet if it is known, and the opcode of a
    /// ring's.
    private func write(_ bytes: [UInt8], to attribute: AttributeID) -> SimulatorEvent {
        let all = services.flatMap(\.characteristics)
        let channel = all.first { $0.id == attribute }.map { CaptureChannel($0.uuid) }
        var (packet, opcode): (String?, String?) = (nil, nil)
        if case .family(let family) = channel {
            // Bytes that the device cannot decode are not the packet that they begin like.
            if let form = family.packet(.toDevice, startingWith: bytes.first)?.form,
                (try? form.check(bytes)) != nil
            {
                packet = form.name.description
            }
        } else if channel == .bigData {
            let frame = try? BigDataFrame(decoding: bytes)
            let entry = frame.flatMap { BigDataCatalog.entry(id: $0.id, .toDevice) }
            packet = entry?.name.description
        }
        if packet == nil, let frame = try? Frame(decoding: bytes),
            let entry = CommandCatalog.entry(opcode: frame.opcode)
        {
            packet = entry.name.description
            opcode = HexText.byte(frame.opcode)
        }
        let name = name(attribute)
        let content =
            packet.map { $0 + (opcode.map { " \($0)" } ?? "") }
            ?? TextLayout.count(bytes.count, "byte")
        return .access(
            to: name, "it writes \(name): \(content)", "write",
            ["packet": packet, "code": opcode, "bytes": HexText.bytes(bytes)])
    }
}

#if os(Linux)
extension Hosted<LoggedPeripheral> {
    var name: String { state.base.name }

    func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        // A change without content: the device learns the time, on which the answer depends.
        modify { _ in }
        return modify { $0.base.execute(command, percent: percent) }
    }

    func light() -> DeviceLight? { state.base.deviceLight(at: SystemTime().now()) }

    func loseLink(on daemon: FakeBlueZ) {
        modify { $0.base.expectLostLink() }
        daemon.loseLink(self)
    }
}
#endif
