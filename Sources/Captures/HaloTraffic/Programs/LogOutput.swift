/// The output of a ``LogReader``, with the clock of its log.
struct LogOutput: Sendable {
    /// The offset and the time of a line.
    struct Position: Hashable, Sendable {
        var offset: Int
        var microseconds: Int64
    }

    /// A part of a log.
    enum Content: Hashable, Sendable {
        case record(RecordKind, ContiguousArray<UInt8>)
        case odd(TrafficOddity)
    }

    /// The clock, set by the times of lines.
    var clock = TextClock()
    /// The file offset of the current line.
    var offset = 0
    /// The parts that were read and not yet removed.
    private(set) var items: [(content: Content, position: Position)] = []

    /// The position of the current line.
    var position: Position { Position(offset: offset, microseconds: clock.microseconds) }

    /// Appends a value of the current line, or of an earlier one; of a value that the program cut,
    /// only a note.
    mutating func append(_ kind: RecordKind, _ found: LogBytes, at position: Position? = nil) {
        if found.isCut { return note(.cutByRecorder) }
        items.append((.record(kind, found.bytes), position ?? self.position))
    }

    /// Appends a packet with its type before it, as on a UART. An unknown type is noted.
    mutating func append(
        packet bytes: ContiguousArray<UInt8>, _ direction: HCIDirection,
        at position: Position? = nil
    ) {
        guard let type = bytes.first.flatMap(HCIPacketType.init) else {
            return note(.unknownPacket)
        }
        let kind = RecordKind.hci(type, direction, adapter: 0)
        let content = Content.record(kind, ContiguousArray(bytes.dropFirst()))
        items.append((content, position ?? self.position))
    }

    /// Appends a packet of the attribute protocol, as one packet of data of a connection.
    mutating func append(
        attributes bytes: ContiguousArray<UInt8>, link: UInt16, _ direction: HCIDirection,
        at position: Position
    ) {
        let packet = BtmonChannel(channel: BtmonChannel.attributes, payload: bytes)
        // The boundary bits of a first fragment: a controller may flush it, a host may not.
        let flags: UInt8 = direction == .toHost ? 2 : 0
        guard let data = packet.data(handle: link & 0x0FFF, flags: flags) else {
            return note(.beyondLimits)
        }
        items.append((.record(.hci(.acl, direction, adapter: 0), data), position))
    }

    /// Appends an irregularity of the current line.
    mutating func note(_ oddity: TrafficOddity) {
        items.append((.odd(oddity), position))
    }

    /// Removes all parts.
    mutating func removeAll() { items.removeAll(keepingCapacity: true) }
}
