import HaloProtocol
import HaloTransport

/// A converter of the events of one device's links into lines of a capture.
struct LinkTranscriber {
    private let link: CaptureName?
    private var characteristics: [AttributeID: GATTCharacteristic] = [:]
    private var descriptors: [AttributeID: CaptureChannel] = [:]
    private var services: [GATTService]?
    private var mtu: UInt16?

    /// The bytes of a write without response in addition to its value.
    private static let writeOverhead = 3

    init(_ link: CaptureName?) { self.link = link }

    private func line(_ event: CaptureEvent) -> CaptureLine { .event(event, link: link) }

    /// Returns the lines of an event, mostly one or none.
    mutating func lines(_ trace: LinkTrace) -> [CaptureLine] {
        switch trace.kind {
        case .request: asked(trace)
        case .reply: answered(trace)
        default: happened(trace)
        }
    }

    private mutating func asked(_ trace: LinkTrace) -> [CaptureLine] {
        guard let id = trace.attribute else { return [] }
        switch trace.operation {
        case .read: return channel(id, .fromDevice).map { [line(.read($0))] } ?? []
        case .write:
            let action = trace.mode == .withResponse ? CaptureAction.write : .command
            return packet(.toDevice, action, id, trace.bytes ?? [])
        default: return []
        }
    }

    private mutating func answered(_ trace: LinkTrace) -> [CaptureLine] {
        switch trace.operation {
        case .connect: return trace.error == nil ? [connected(trace)] : []
        case .discover: return discovered(trace.services)
        default: break
        }
        guard let id = trace.attribute, let incoming = channel(id, .fromDevice),
            let outgoing = channel(id, .toDevice)
        else { return [] }
        let refusal = trace.error?.attError?.code
        switch trace.operation {
        case .read:
            if let refusal { return [line(.refused(incoming, code: refusal))] }
            return trace.error == nil ? packet(.fromDevice, .read, id, trace.bytes ?? []) : []
        case .write:
            guard trace.mode == .withResponse else { return [] }
            if let refusal { return [line(.refused(outgoing, code: refusal))] }
            return trace.error == nil ? [line(.acknowledged(outgoing))] : []
        case .subscribe, .unsubscribe:
            guard trace.error == nil || refusal != nil else { return [] }
            let isOn = trace.operation == .subscribe
            let change = line(isOn ? .subscribed(incoming) : .unsubscribed(incoming))
            return [change] + (refusal.map { [line(.refused(incoming, code: $0))] } ?? [])
        default: return []
        }
    }

    private mutating func happened(_ trace: LinkTrace) -> [CaptureLine] {
        switch trace.event {
        case .value(let id, let value):
            guard let characteristic = characteristics[id] else { return [] }
            // If the characteristic has both properties, transports do not report which of the two
            // a value was.
            let canNotify = characteristic.properties.contains(.notify)
            guard characteristic.properties.contains(.indicate) else {
                return packet(.fromDevice, canNotify ? .notified : nil, id, value)
            }
            guard !canNotify else { return packet(.fromDevice, nil, id, value) }
            // The transport below has confirmed the indication.
            return packet(.fromDevice, .indicated, id, value)
                + [line(.confirmed(CaptureChannel(characteristic.uuid, .fromDevice)))]
        case .servicesChanged:
            services = nil
            return [line(.servicesChanged)]
        case .maximumLengthChanged:
            guard let new = Self.mtu(trace), new != mtu else { return [] }
            mtu = new
            return [line(.mtu(new))]
        case .disconnected(let reason): return [line(.disconnected(reason: reason.code))]
        case nil: return []
        }
    }

    private mutating func connected(_ trace: LinkTrace) -> CaptureLine {
        self = LinkTranscriber(link)
        mtu = Self.mtu(trace)
        return line(.connected(mtu: mtu))
    }

    private mutating func discovered(_ found: [GATTService]?) -> [CaptureLine] {
        guard let found, found != services else { return [] }
        services = found
        characteristics = [:]
        descriptors = [:]
        var lines: [CaptureLine] = []
        for service in found {
            for characteristic in service.characteristics {
                characteristics[characteristic.id] = characteristic
                for descriptor in characteristic.descriptors {
                    descriptors[descriptor.id] = .descriptor(
                        descriptor.uuid, of: characteristic.uuid)
                }
                lines.append(
                    line(
                        .offers(
                            service: service.uuid, characteristic: characteristic.uuid,
                            characteristic.properties)))
            }
        }
        return lines
    }

    /// Returns the channel of a characteristic or a descriptor; `nil` if it was not discovered.
    private func channel(_ id: AttributeID, _ direction: Direction) -> CaptureChannel? {
        characteristics[id].map { CaptureChannel($0.uuid, direction) } ?? descriptors[id]
    }

    /// Returns the line of a value; no line if the value is longer than a packet can be.
    private func packet(
        _ direction: Direction, _ action: CaptureAction?, _ id: AttributeID, _ bytes: [UInt8]
    ) -> [CaptureLine] {
        guard bytes.count <= CapturePacket.maximumLength, let channel = channel(id, direction)
        else { return [] }
        return [.packet(CapturePacket(unchecked: direction, action, link: link, channel, bytes))]
    }

    private static func mtu(_ trace: LinkTrace) -> UInt16? {
        guard let length = trace.maximumWriteLength,
            let mtu = UInt16(exactly: length.addingReportingOverflow(writeOverhead).partialValue),
            CaptureEvent.mtuRange.contains(mtu)
        else { return nil }
        return mtu
    }
}

extension HaloTransport.DisconnectReason {
    fileprivate var code: UInt8? {
        switch kind {
        case .local: ControllerReason.localHost
        case .remote: ControllerReason.remoteUser
        case .outOfReach: ControllerReason.timeout
        case .bondLost: ControllerReason.authenticationFailure
        default: nil
        }
    }
}
