import HaloProtocol
import HaloTransport

/// What a device says of its attributes: which handle is what.
extension ATTFollower {
    /// The service that an app looks for by its type and value.
    static func wantedService(_ packet: Span<UInt8>) -> BluetoothUUID? {
        let type = packet.attributeUUID(at: 5, count: 2)
        guard type == AttributeUUIDs.primaryService else { return nil }
        return packet.attributeUUID(at: 7, count: packet.count - 7)
    }

    /// First and last handle, again and again.
    func takeFoundServices(
        _ service: BluetoothUUID, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        var position = 1
        while packet.count - position >= 4 {
            let first = packet.attributeNumber(at: position)
            let last = packet.attributeNumber(at: position + 2)
            tellService(service, first, last, isPrimary: true, spot, &sink)
            position += 4
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }

    /// The length of an entry; then first and last handle and UUID, again and again.
    func takeGroups(
        _ type: BluetoothUUID, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        let length = Int(packet[1])
        let isPrimary = type == AttributeUUIDs.primaryService
        guard isPrimary || type == AttributeUUIDs.secondaryService else { return }
        guard length == 6 || length == 20 else { return spot.odd(.shortPacket, &sink) }
        var position = 2
        while packet.count - position >= length {
            if let uuid = packet.attributeUUID(at: position + 4, count: length - 4) {
                tellService(
                    uuid, packet.attributeNumber(at: position),
                    packet.attributeNumber(at: position + 2), isPrimary: isPrimary, spot, &sink)
            }
            position += length
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }

    private func tellService(
        _ uuid: BluetoothUUID, _ first: UInt16, _ last: UInt16, isPrimary: Bool, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        guard first > 0, first <= last else { return spot.odd(.shortPacket, &sink) }
        spot.tell(.service(uuid, first: first, last: last, isPrimary: isPrimary), &sink)
    }

    /// The length of an entry; then handle and value, again and again: of declarations, or of
    /// anything else.
    mutating func takeTyped(
        _ type: BluetoothUUID, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        let length = Int(packet[1])
        guard length >= 2, packet.count >= 2 + length else {
            return spot.odd(.shortPacket, &sink)
        }
        switch type {
        case AttributeUUIDs.characteristic:
            takeCharacteristics(length, packet, spot, &sink)
        case AttributeUUIDs.include:
            takeIncludes(length, packet, spot, &sink)
        default:
            takeTypedValues(type, packet, spot, &sink)
        }
    }

    /// The declaration's handle, properties, the value's handle, UUID.
    private func takeCharacteristics(
        _ length: Int, _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        guard length == 7 || length == 21 else { return spot.odd(.shortPacket, &sink) }
        var position = 2
        while packet.count - position >= length {
            if let uuid = packet.attributeUUID(at: position + 5, count: length - 5) {
                let properties = GATTProperties(rawValue: packet[position + 2])
                let value = packet.attributeNumber(at: position + 3)
                spot.tell(.characteristic(uuid, value: value, properties), &sink)
            }
            position += length
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }

    /// The declaration's handle, first and last handle, and a UUID if it is a short one.
    private func takeIncludes(
        _ length: Int, _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        guard length == 6 || length == 8 else { return spot.odd(.shortPacket, &sink) }
        var position = 2
        while packet.count - position >= length {
            if let uuid = packet.attributeUUID(at: position + 6, count: length - 6) {
                tellService(
                    uuid, packet.attributeNumber(at: position + 2),
                    packet.attributeNumber(at: position + 4), isPrimary: false, spot, &sink)
            }
            position += length
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }

    /// The format; then handle and UUID, again and again.
    func takeInformation(
        _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        let length =
            switch packet[1] {
            case 1: 4
            case 2: 18
            default: 0
            }
        guard length > 0, packet.count >= 2 + length else {
            return spot.odd(.shortPacket, &sink)
        }
        var position = 2
        while packet.count - position >= length {
            if let uuid = packet.attributeUUID(at: position + 2, count: length - 2),
                !AttributeUUIDs.structure.contains(uuid)
            {
                let handle = packet.attributeNumber(at: position)
                spot.tell(.descriptor(uuid, handle: handle), &sink)
            }
            position += length
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }
}

extension AttributeUUIDs {
    /// The types of declarations, which have no values of their own.
    static let structure = [primaryService, secondaryService, include, characteristic]
}
