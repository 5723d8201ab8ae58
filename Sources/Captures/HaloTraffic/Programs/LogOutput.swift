struct LogOutput: Sendable {
    enum Content: Hashable, Sendable {
        case record(RecordKind, ContiguousArray<UInt8>)
        case odd(TrafficOddity)
    }

    var clock = TextClock()
    var offset = 0
    var items: [(content: Content, position: FilePosition)] = []
    private(set) var count = 0

    /// The position of the current line, with the number of the next record.
    var position: FilePosition {
        FilePosition(number: count + 1, offset: offset, microseconds: clock.microseconds)
    }

    /// Appends a value of the current line, or of an earlier one; of a value that the program cut,
    /// only a note.
    mutating func append(_ kind: RecordKind, _ found: LogBytes, at position: FilePosition? = nil) {
        if found.isCut { return note(.cutByRecorder) }
        count += 1
        var position = position ?? self.position
        position.number = count
        items.append((.record(kind, found.bytes), position))
    }

    /// Appends a packet with its type before it, as on a UART. An unknown type is noted.
    mutating func append(
        packet bytes: ContiguousArray<UInt8>, _ direction: HCIDirection,
        at position: FilePosition
    ) {
        guard let type = bytes.first.flatMap(HCIPacketType.init) else {
            return note(.unknownPacket)
        }
        let kind = RecordKind.hci(type, direction, adapter: 0)
        append(kind, LogBytes(bytes: ContiguousArray(bytes.dropFirst())), at: position)
    }

    /// Appends a packet of the attribute protocol, as one packet of data of a connection.
    mutating func append(
        attributes bytes: ContiguousArray<UInt8>, link: UInt16, _ direction: HCIDirection,
        at position: FilePosition
    ) {
        // The boundary bits of a first fragment: a controller may flush it, a host may not.
        let flags: UInt8 = direction == .toHost ? 2 : 0
        guard let data = BtmonAttribute.data(bytes, handle: link & 0x0FFF, flags: flags) else {
            return note(.beyondLimits)
        }
        append(.hci(.acl, direction, adapter: 0), LogBytes(bytes: data), at: position)
    }

    mutating func note(_ oddity: TrafficOddity) {
        items.append((.odd(oddity), position))
    }
}
