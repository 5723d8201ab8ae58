import HaloCapture
import HaloProtocol

/// Reads the packets in the JSON that the app PulseLoop exports for bug reports.
///
/// ```
/// {"rawPackets": [
///   {"at": "2026-07-05T14:54:53.752Z", "direction": "INCOMING", "hex": "7301…", "decoded": …},
///   {"at": "2026-07-05T14:54:53.101Z", "direction": "OUTGOING", "hex": "0300…"}]}
/// ```
///
/// The newest packet is the first one, so the packets are held up to the end, and emitted in the
/// order of their times. The app may mask bytes with points: such a packet is noted, and has no
/// value. A packet with a ring's checksum is a ring's; the options can name others.
struct PulseLoopParser: UnitParser {
    /// A packet, with its file offset.
    private struct Packet: Sendable {
        var direction: Direction
        var bytes: ContiguousArray<UInt8>
        var microseconds: Int64
        var offset: Int
    }

    /// The members of the current object.
    private struct Object: Sendable {
        var clock = TextClock()
        var direction: Direction?
        var bytes: LogBytes?
    }

    private let names: LogNames
    private var packets: [Packet] = []
    private var byteCount = 0
    /// The open objects, the innermost one last.
    private var objects: [Object] = []
    /// The number of open objects beyond the limit.
    private var deeper = 0
    /// The current string, while it is open.
    private var text: ContiguousArray<UInt8>?
    private var isEscaped = false
    /// The last string before a colon, which names the next one.
    private var key = ContiguousArray<UInt8>()
    private var string = ContiguousArray<UInt8>()
    private var isValue = false
    /// The packets without a value.
    private var oddities: [(oddity: TrafficOddity, offset: Int, microseconds: Int64)] = []

    /// The maximum number of packets, and of their bytes.
    static let limit = (packets: 1 << 18, bytes: 1 << 24)
    /// The maximum number of objects inside one another.
    private static let deepest = 32
    /// The maximum number of kept characters of a string.
    private static let longestString = 1 << 13

    init(_ names: LogNames = LogNames()) {
        self.names = names
    }

    /// `true` if the text has the list of packets, or begins with one.
    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        var index = 0
        while index < beginning.count, beginning[index] <= UInt8(ascii: " ") { index += 1 }
        guard index < beginning.count, "{[".utf8.contains(beginning[index]) else { return false }
        var hasPackets = false
        var hasDirection = false
        for index in 0..<beginning.count where beginning[index] == UInt8(ascii: "\"") {
            if beginning.has("\"rawPackets\"", at: index) { hasPackets = true }
            if beginning.has("\"INCOMING\"", at: index) || beginning.has("\"OUTGOING\"", at: index)
            {
                hasDirection = true
            }
            if hasDirection { return true }
        }
        return hasPackets
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        for index in 0..<bytes.count { receive(bytes[index], at: offset + index) }
        return .read(bytes.count)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        var channels = ChannelGuess()
        let ordered = packets.reversed().enumerated()
            .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }
        for (index, (_, packet)) in ordered.enumerated() {
            let position = FilePosition(
                number: index + 1, offset: packet.offset, microseconds: packet.microseconds)
            let named = names.isNamed(packet.direction) ? names.channel(packet.direction) : nil
            let channel =
                channels.channel(of: packet.bytes.span, packet.direction, named: named)
                ?? names.channel(packet.direction)
            sink.receive(.value(packet.direction, channel, nil), packet.bytes.span, at: position)
        }
        for (oddity, offset, microseconds) in oddities {
            sink.note(
                oddity,
                at: FilePosition(
                    number: packets.count, offset: offset, microseconds: microseconds))
        }
        guard !packets.isEmpty else {
            throw TrafficError(
                .unknownFormat, at: 0, hint: "no object of the JSON has a direction and bytes")
        }
    }

    // MARK: JSON

    private mutating func receive(_ byte: UInt8, at offset: Int) {
        if text != nil { return receiveCharacter(byte) }
        switch byte {
        case UInt8(ascii: "\""): text = []
        case UInt8(ascii: ":"):
            key = string
            isValue = true
        case UInt8(ascii: "{"):
            if objects.count < Self.deepest { objects.append(Object()) } else { deeper += 1 }
            isValue = false
        case UInt8(ascii: "}"): endObject(at: offset)
        case UInt8(ascii: ","): isValue = false
        default: break
        }
    }

    private mutating func receiveCharacter(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
            return
        } else if byte == UInt8(ascii: "\"") {
            return endString()
        }
        if text?.count ?? 0 < Self.longestString { text?.append(byte) }
    }

    private mutating func endString() {
        string = text ?? []
        text = nil
        guard isValue, deeper == 0, let last = objects.indices.last else { return }
        var cursor = TextCursor(string[...])
        if key.elementsEqual("at".utf8) {
            HexLineTime.read(&cursor, &objects[last].clock)
        } else if key.elementsEqual("direction".utf8) {
            let words: [(StaticString, Direction)] = [
                ("INCOMING", .fromDevice), ("OUTGOING", .toDevice),
            ]
            objects[last].direction = words.first { cursor.starts(with: $0.0) }?.1
        } else if key.elementsEqual("hex".utf8) {
            let found = LogBytes(&cursor)
            objects[last].bytes = cursor.next == nil ? found : LogBytes(cut: found?.bytes ?? [])
        }
    }

    private mutating func endObject(at offset: Int) {
        isValue = false
        guard deeper == 0 else {
            deeper -= 1
            return
        }
        guard let object = objects.popLast(), let direction = object.direction,
            let found = object.bytes
        else { return }
        let isWithinLimits =
            packets.count < Self.limit.packets
            && byteCount + found.bytes.count <= Self.limit.bytes
            && found.bytes.count <= CapturePacket.maximumLength
        guard !found.isCut, isWithinLimits else {
            if oddities.count < Self.limit.packets {
                oddities.append(
                    (
                        found.isCut ? .cutByRecorder : .beyondLimits, offset,
                        object.clock.microseconds
                    ))
            }
            return
        }
        byteCount += found.bytes.count
        packets.append(
            Packet(
                direction: direction, bytes: found.bytes,
                microseconds: object.clock.microseconds, offset: offset))
    }
}
