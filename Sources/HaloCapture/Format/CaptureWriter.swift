public import HaloProtocol

/// A writer of a capture as text, line by line.
///
/// The text reads back to the same lines. The writer keeps only the text that was not drained yet.
public struct CaptureWriter: Sendable {
    private var rules = CaptureRules()
    private var bytes: [UInt8] = []
    private var words = PacketWords()

    /// Creates a writer at the beginning of a capture.
    public init() {}

    /// Writes a line; throws if it may not follow those before it.
    public mutating func write(_ line: CaptureLine) throws(CaptureError) {
        if let kind = rules.broken(by: line) { throw fault(kind) }
        put(line)
    }

    /// Writes a packet without a copy of its bytes.
    public mutating func writePacket(
        _ action: CaptureAction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ value: Span<UInt8>
    ) throws(CaptureError) {
        try write(action.direction, action, link, channel, value)
    }

    /// Writes a packet without an action and without a copy of its bytes.
    public mutating func writePacket(
        _ direction: Direction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ value: Span<UInt8>
    ) throws(CaptureError) {
        try write(direction, nil, link, channel, value)
    }

    private mutating func write(
        _ direction: Direction, _ action: CaptureAction?, _ link: CaptureName?,
        _ channel: CaptureChannel, _ value: Span<UInt8>
    ) throws(CaptureError) {
        guard value.count <= CapturePacket.maximumLength else { throw fault(.tooManyBytes) }
        if let kind = rules.admitPacket(action, channel) { throw fault(kind) }
        putPacket(direction, action, link, channel, value)
        endLine()
    }

    /// Writes the time since the previous line.
    public mutating func writeElapsed(microseconds: UInt64) throws(CaptureError) {
        if let kind = rules.admitElapsed(microseconds) { throw fault(kind) }
        putElapsed(microseconds)
        endLine()
    }

    /// Removes and returns the pending text.
    public mutating func drain() -> String {
        String(decoding: drainBytes(), as: UTF8.self)
    }

    /// Removes and returns the pending text as UTF-8.
    public mutating func drainBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Calls `body` with the pending text, removes the text, and keeps the memory for further text.
    public mutating func drainBytes<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        defer { bytes.removeAll(keepingCapacity: true) }
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try body(buffer.span) }
    }

    /// The number of bytes of the pending text, which was not drained yet.
    public var pendingCount: Int { bytes.count }

    private func fault(_ kind: CaptureError.Kind) -> CaptureError {
        CaptureError(kind, line: rules.count + 1, column: 1)
    }

    /// Writes a line without checking the rules; the caller has checked them.
    package mutating func put(_ line: CaptureLine) {
        switch line {
        case .version(let version): put(version.line)
        case .blank: break
        case .comment(let comment): put("#", comment)
        case .name(let name, let uuid): put("@ \(name) \(uuid)")
        case .event(let event, let link):
            put("* ")
            put(link)
            put(event.words { $0.name(rules) })
        case .packet(let packet):
            packet.bytes.withUnsafeBufferPointer {
                putPacket(
                    packet.direction, packet.action, packet.link, packet.channel, $0.span)
            }
        case .elapsed(let microseconds): putElapsed(microseconds)
        case .reading(let reading): put("=", reading)
        case .error(let error): put("!", error)
        }
        endLine()
        _ = rules.admit(line)
        if case .name = line { words.forget() }
    }

    private mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func put(_ sign: String, _ rest: CaptureText) {
        put(sign)
        if rest.text == "" { return }
        put(" ")
        put(rest.text)
    }

    private mutating func put(_ link: CaptureName?) {
        guard let link else { return }
        put(link.text)
        bytes.append(UInt8(ascii: "/"))
    }

    private mutating func putPacket(
        _ direction: Direction, _ action: CaptureAction?, _ link: CaptureName?,
        _ channel: CaptureChannel, _ value: Span<UInt8>
    ) {
        bytes.append(UInt8(ascii: direction == .toDevice ? ">" : "<"))
        bytes.append(UInt8(ascii: " "))
        put(link)
        words.append(channel, action, rules, to: &bytes)
        let length = 3 * value.count
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
            var index = 0
            for offset in value.indices {
                let byte = value[offset]
                buffer[index] = UInt8(ascii: " ")
                buffer[index + 1] = HexText.digit(byte >> 4)
                buffer[index + 2] = HexText.digit(byte)
                index += 3
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<length]))
        }
    }

    // MARK: Time

    /// Writes a time in the largest unit that makes it at least 1.
    private mutating func putElapsed(_ microseconds: UInt64) {
        put("+ ")
        switch microseconds {
        case 1_000_000...: putTime(microseconds, unit: 1_000_000, "s")
        case 1_000...: putTime(microseconds, unit: 1_000, "ms")
        default: putTime(microseconds, unit: 1, "us")
        }
    }

    private mutating func putTime(_ microseconds: UInt64, unit: UInt64, _ name: StaticString) {
        putDigits(microseconds / unit, place: 1_000_000_000_000_000)
        var rest = microseconds % unit
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        var place = unit
        while rest > 0 {
            place /= 10
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / place))
            rest %= place
        }
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a number without leading zeros; `place` is the place value of the highest possible
    /// digit.
    private mutating func putDigits(_ number: UInt64, place: UInt64) {
        var place = place
        while place > 1, number < place { place /= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / place % 10))
            place /= 10
        }
    }
}

/// The number of packets in the text of a capture, which is read in pieces of any length.
package struct PacketLineScan {
    /// The number of packets.
    package private(set) var packetCount = 0
    private var isAtBeginning = true

    /// Creates a scan without packets.
    package init() {}

    /// Reads a piece.
    package mutating func read(_ text: Span<UInt8>) {
        for index in text.indices {
            let byte = text[index]
            let isPacket = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            if isAtBeginning, isPacket { packetCount += 1 }
            isAtBeginning = byte == UInt8(ascii: "\n")
        }
    }
}

/// The channel and the action of packets as text, with a cache.
private struct PacketWords: Sendable {
    private struct Entry: Sendable {
        let channel: CaptureChannel
        let action: CaptureAction?
        let text: [UInt8]
    }

    private var entries: [Entry] = []
    /// The entry that is replaced next.
    private var oldest = 0

    /// The maximum number of cached entries: more than the channels in use at a time.
    private static let limit = 16

    mutating func append(
        _ channel: CaptureChannel, _ action: CaptureAction?, _ rules: CaptureRules,
        to bytes: inout [UInt8]
    ) {
        for index in entries.indices
        where entries[index].action == action && entries[index].channel == channel {
            return bytes.append(contentsOf: entries[index].text)
        }
        let words = channel.name(rules) + (action.map { " \($0.rawValue)" } ?? "")
        let entry = Entry(channel: channel, action: action, text: Array(words.utf8))
        bytes.append(contentsOf: entry.text)
        if entries.count < Self.limit {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.limit
        }
    }

    mutating func forget() { self = PacketWords() }
}

extension CaptureChannel {
    /// Returns the name of the channel, with the declared names.
    fileprivate func name(_ rules: CaptureRules) -> String {
        name { rules.name(of: $0)?.text ?? $0.lowercased }
    }
}
