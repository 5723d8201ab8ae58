import HaloProtocol
import HaloTransport

/// Follows the attribute protocol of one connection: pairs responses with requests, joins long
/// reads and prepared writes, and tells what came of them in whole.
///
/// The rules are those of the Core Specification, volume 3, part F. One request at a time waits
/// for its answer, in each direction. What the device itself asks of the app's attributes is left
/// out, but for the maximum transfer unit, which holds both ways.
///
/// *Long reads.* An answer as long as the maximum transfer unit allows may not be the whole value.
/// It is kept until the app asks for the rest, or for something else. A value is told at the place
/// of its last piece, which then may lie before that of the packet that decided it.
///
/// *Bounds.* A value has no more than ``CapturePacket/maximumLength`` bytes, and at most 64 are
/// prepared.
struct ATTFollower: Sendable {
    /// What the app waits for.
    var asked = ATTRequest.none
    /// What both sides agreed on.
    private(set) var mtu = ATTFollower.leastMTU
    private var hasAgreed = false
    /// The value that the app reads in pieces.
    var read = LongRead()
    /// What the app writes in pieces.
    var prepared = PreparedWrites()
    /// Whose values the app reads all at once.
    var readTogether: [UInt16] = []
    /// The value whose arrival the app has not confirmed.
    private var indicated: UInt16?
    /// What the device itself waits for: the request's first byte.
    private var askedByDevice: UInt8?
    private var mtuOfDevice = ATTFollower.leastMTU

    /// What holds before anything was agreed on.
    static let leastMTU: UInt16 = 23

    /// Takes in one packet of the attribute protocol.
    ///
    /// The direction is the packet's: to the device, or from it.
    mutating func take(
        _ packet: Span<UInt8>, _ direction: Direction, on connection: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        let spot = Spot(connection: connection, place: place)
        guard packet.count > 0 else { return spot.odd(.shortPacket, &sink) }
        guard let opcode = ATTOpcode(rawValue: packet[0]) else {
            return takeUnknown(packet[0], direction, spot, &sink)
        }
        guard packet.count >= opcode.minimumLength else {
            return spot.odd(.shortPacket, &sink)
        }
        guard opcode.isFromServer == (direction == .fromDevice) else {
            return takeReversed(opcode, packet, spot, &sink)
        }
        switch opcode {
        case .notification:
            let handle = packet.attributeNumber(at: 1)
            sink.take(
                .notified(handle), packet.extracting(droppingFirst: 3), on: connection, at: place)
        case .indication:
            takeIndication(packet, spot, &sink)
        case .multipleNotifications:
            takeNotifications(packet, spot, &sink)
        case .confirmation:
            takeConfirmation(spot, &sink)
        case .writeCommand, .signedWriteCommand:
            takeCommand(opcode, packet, spot, &sink)
        case .errorResponse:
            takeError(packet, spot, &sink)
        default:
            if opcode.isFromServer {
                takeResponse(opcode, packet, spot, &sink)
            } else {
                takeRequest(opcode, packet, spot, &sink)
            }
        }
    }

    /// Tells what is still open when the connection ends: a read that nobody answered.
    mutating func end(
        on connection: Int, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let spot = Spot(connection: connection, place: place)
        endRead(spot, &sink)
        if asked.isWaitedFor { spot.odd(.unanswered, &sink) }
        self = ATTFollower()
    }
}

extension ATTFollower {
    /// Where something is told: a connection, and a place in the file.
    struct Spot {
        var connection: Int
        var place: RecordPlace

        /// Tells an event without a value.
        @inline(__always)
        func tell(_ event: ConversationEvent, _ sink: inout some ConversationSink) {
            sink.take(event, Span(), on: connection, at: place)
        }

        /// Tells what looks wrong.
        func odd(_ oddity: TrafficOddity, _ sink: inout some ConversationSink) {
            tell(.odd(oddity), &sink)
        }
    }

    // MARK: What nobody asked for

    private mutating func takeIndication(
        _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        if indicated != nil { spot.odd(.unanswered, &sink) }
        let handle = packet.attributeNumber(at: 1)
        indicated = handle
        sink.take(
            .indicated(handle), packet.extracting(droppingFirst: 3), on: spot.connection,
            at: spot.place)
    }

    private mutating func takeConfirmation(_ spot: Spot, _ sink: inout some ConversationSink) {
        guard let handle = indicated else { return spot.odd(.strayResponse, &sink) }
        indicated = nil
        spot.tell(.confirmed(handle), &sink)
    }

    /// Handle, length and value, again and again.
    private func takeNotifications(
        _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        var position = 1
        while packet.count - position >= 4 {
            let handle = packet.attributeNumber(at: position)
            let length = Int(packet.attributeNumber(at: position + 2))
            position += 4
            guard length <= packet.count - position else { break }
            let value = packet.extracting(position..<position + length)
            sink.take(.notified(handle), value, on: spot.connection, at: spot.place)
            position += length
            if position == packet.count { return }
        }
        spot.odd(.shortPacket, &sink)
    }

    private func takeCommand(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        let handle = packet.attributeNumber(at: 1)
        let isSigned = opcode == .signedWriteCommand
        let end = packet.count - (isSigned ? ATTOpcode.signatureLength : 0)
        sink.take(
            .written(handle, isSigned ? .signed : .command), packet.extracting(3..<end),
            on: spot.connection, at: spot.place)
    }

    private mutating func takeUnknown(
        _ opcode: UInt8, _ direction: Direction, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        spot.odd(.unknownPacket, &sink)
        if direction == .toDevice, !asked.isWaitedFor { asked = .other(opcode) }
    }

    // MARK: What the device asks of the app

    private mutating func takeReversed(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        switch opcode {
        case .exchangeMTURequest:
            askedByDevice = packet[0]
            mtuOfDevice = packet.attributeNumber(at: 1)
        case .exchangeMTUResponse where askedByDevice == packet[0] &- 1:
            askedByDevice = nil
            agree(mtuOfDevice, packet.attributeNumber(at: 1), spot, &sink)
        case .errorResponse where askedByDevice == packet[1]:
            askedByDevice = nil
        case .notification, .indication, .multipleNotifications, .confirmation, .writeCommand,
            .signedWriteCommand:
            spot.odd(.askedByDevice, &sink)
        case _ where opcode.isFromServer:
            if askedByDevice != packet[0] &- 1 { spot.odd(.strayResponse, &sink) }
            askedByDevice = nil
        default:
            if askedByDevice != nil { spot.odd(.unanswered, &sink) }
            askedByDevice = packet[0]
            spot.odd(.askedByDevice, &sink)
        }
    }

    /// Notes what both sides can take; both may ask, and then it is the same.
    mutating func agree(
        _ one: UInt16, _ other: UInt16, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        let agreed = max(min(one, other), Self.leastMTU)
        if hasAgreed, agreed == mtu { return }
        hasAgreed = true
        mtu = agreed
        spot.tell(.mtu(agreed), &sink)
    }
}
