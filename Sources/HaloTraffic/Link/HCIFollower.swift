import HaloProtocol

/// Follows the packets between hosts and their controllers, as the Core Specification has them in
/// volume 4, part E.
///
/// ```
/// command: opcode (2)  length (1)  parameters
/// ACL:     handle (12 bits)  boundary (2 bits)  broadcast (2 bits)  length (2)  fragment
/// event:   code (1)  length (1)  parameters
/// ```
struct HCIFollower: Sendable {
    var adapters = AdapterTable()
    var advertising = ExtendedAdvertising()

    /// What stands in an ACL packet, by its two boundary bits.
    private enum Boundary {
        /// The beginning of a packet that must arrive; hosts of low energy links say this one.
        static let beginningKept: UInt16 = 0
        static let continuation: UInt16 = 1
        /// The beginning of a packet that may be given up; controllers say this one.
        static let beginning: UInt16 = 2
    }

    /// Takes in one packet.
    @inline(__always) mutating func take(
        _ type: HCIPacketType, _ direction: HCIDirection?, _ adapter: UInt16,
        _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        switch type {
        case .acl:
            takeACL(direction, adapter, bytes, at: place, &links, into: &sink)
        case .event:
            takeEvent(adapter, bytes, at: place, &links, into: &sink)
        case .command:
            takeCommand(adapter, bytes, at: place, &links, into: &sink)
        case .synchronous, .isochronous:
            break
        }
    }

    /// Says that the recording is over.
    mutating func finish(at place: RecordPlace, into sink: inout some ConversationSink) {
        advertising.drop(at: place, into: &sink)
    }

    @inline(__always) private mutating func takeACL(
        _ direction: HCIDirection?, _ adapter: UInt16, _ bytes: Span<UInt8>,
        at place: RecordPlace, _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard let header = bytes.littleEndian16(at: 0), let length = bytes.littleEndian16(at: 2)
        else {
            return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
        }
        let boundary = header >> 12 & 0x3
        // Broadcasts belong to classic links only, and to no connection.
        guard header >> 14 == 0 else { return }
        let key = LinkKey(adapter: adapter, handle: header & 0x0FFF)
        let found =
            links.slot(of: key)
            ?? links.open(key, .undetermined, .unknown, nil, at: place, into: &sink)
        guard let slot = found else { return }
        let way = direction ?? Self.way(boundary, of: slot, links)
        let fragment = bytes.extracting(droppingFirst: 4)
        guard fragment.count == Int(length), boundary <= Boundary.beginning else {
            return takeBroken(
                fragment.count < Int(length)
                    ? .shortPacket : fragment.count > Int(length) ? .longPacket : .unknownPacket,
                way, of: slot, at: place, &links, into: &sink)
        }
        links.take(
            fragment, isStart: boundary != Boundary.continuation, way, of: slot, at: place,
            into: &sink)
    }

    private func takeBroken(
        _ oddity: TrafficOddity, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>, into sink: inout some ConversationSink
    ) {
        links.note(oddity, on: slot, at: place, into: &sink)
        links.drop(way, of: slot, at: place, into: &sink)
    }

    /// Which way a fragment goes where the record does not say it.
    ///
    /// On low energy links the boundary bits of a first fragment differ with the way. A further
    /// fragment goes with the packet that is not whole; if there is one each way, nobody can
    /// know, and it is taken to come out of the air, as long packets mostly do.
    private static func way(
        _ boundary: UInt16, of slot: Int, _ links: borrowing LinkTable<some AttributeFollower>
    ) -> HCIDirection {
        switch boundary {
        case Boundary.beginningKept: .toController
        case Boundary.continuation where !links.isOpen(.toHost, of: slot): .toController
        default: .toHost
        }
    }
}
