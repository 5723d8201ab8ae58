import HaloCapture
import HaloProtocol

/// The output of a ``LogReader``, with the clock of its log.
struct LogOutput: Sendable {
    /// The offset and the time of a line.
    struct Position: Hashable, Sendable {
        var offset: Int
        var microseconds: Int64
    }

    /// A part of a log.
    enum Content: Hashable, Sendable {
        case value(LogValue)
        /// A packet between a host and its controller, without its type byte.
        case packet(HCIPacketType, HCIDirection, ContiguousArray<UInt8>)
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

    /// Appends a value of the current line, or of an earlier one.
    mutating func append(_ value: LogValue, at position: Position? = nil) {
        items.append((.value(value), position ?? self.position))
    }

    /// Appends the value of the current line; of a value that the program cut, only a note.
    mutating func append(
        _ action: CaptureAction, _ target: LogValue.Target, _ found: LogBytes,
        at position: Position? = nil
    ) {
        if found.isCut { return note(.cutByRecorder) }
        append(LogValue(action, target, found.bytes), at: position)
    }

    /// Appends a value whose action the log does not have.
    mutating func append(
        _ direction: Direction, _ target: LogValue.Target, _ found: LogBytes
    ) {
        if found.isCut { return note(.cutByRecorder) }
        append(LogValue(direction, target, found.bytes))
    }

    /// Appends a packet with its type before it, as on a UART. An unknown type is noted.
    mutating func append(
        packet bytes: ContiguousArray<UInt8>, _ direction: HCIDirection,
        at position: Position? = nil
    ) {
        guard let type = bytes.first.flatMap(HCIPacketType.init) else {
            return note(.unknownPacket)
        }
        let content = Content.packet(type, direction, ContiguousArray(bytes.dropFirst()))
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
        items.append((.packet(.acl, direction, data), position))
    }

    /// Appends an irregularity of the current line.
    mutating func note(_ oddity: TrafficOddity) {
        items.append((.odd(oddity), position))
    }

    /// Removes all parts.
    mutating func removeAll() { items.removeAll(keepingCapacity: true) }
}
