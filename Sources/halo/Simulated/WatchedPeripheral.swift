import HaloProtocol
import HaloTransport

/// A device of which somebody hears what centrals do with it.
struct WatchedPeripheral<Device: GATTPeripheral>: GATTPeripheral {
    var device: Device
    /// Is told in the middle of things: it must return at once, and ask nothing of the device.
    let tell: @Sendable (String) -> Void

    var services: [GATTService] { device.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if let words = words(event) { tell(words) }
        device.handle(event, at: now, into: &effects)
    }

    private func words(_ event: PeripheralEvent) -> String? {
        switch event {
        case .started, .woken, .changed, .maximumLength, .confirmed: nil
        case .connected: "a program connects"
        case .disconnected: "it disconnects"
        case .read(let attribute, offset: 0, _): "it reads \(name(attribute))"
        // The rest of a value that is longer than a packet.
        case .read: nil
        case .subscription(let attribute, isOn: true): "it listens to \(name(attribute))"
        case .subscription(let attribute, isOn: false):
            "it listens to \(name(attribute)) no longer"
        case .write(let attribute, let bytes, _):
            "it writes \(name(attribute)): \(Self.content(bytes))"
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
        switch uuid {
        case RingServices.uartWrite, RingServices.uartNotify: "uart"
        case RingServices.bigDataWrite, RingServices.bigDataNotify: "bigdata"
        default: TrafficWords.name(uuid)
        }
    }

    private static func content(_ bytes: [UInt8]) -> String {
        guard let frame = try? Frame(decoding: bytes),
            let entry = CommandCatalog.entry(opcode: frame.opcode)
        else { return TrafficWords.number(bytes.count, "byte") }
        return "\(entry.name) \(HexText.byte(frame.opcode))"
    }
}
