package import HaloProtocol

/// A writer of a capture as text, line by line.
///
/// The text reads back to the same lines. The writer keeps only the text that was not drained yet.
public struct CaptureWriter: Sendable {
    private var rules = CaptureRules()
    private var text = PendingText()
    private var words = PacketWords()

    /// Creates a writer at the beginning of a capture.
    public init() {}

    /// Writes a line; throws if it may not follow those before it.
    public mutating func write(_ line: CaptureLine) throws(CaptureError) {
        if let kind = rules.admit(line) { throw fault(kind) }
        append(line)
    }

    /// Writes a packet without a copy of its bytes. The action, if the line has one, is of this
    /// direction.
    package mutating func writePacket(
        _ direction: Direction, action: CaptureAction? = nil, link: CaptureName? = nil,
        _ channel: CaptureChannel, _ value: Span<UInt8>
    ) throws(CaptureError) {
        assert(action.map { $0.direction == direction } ?? true)
        guard value.count <= CapturePacket.maximumLength else { throw fault(.tooManyBytes) }
        if let kind = rules.admitPacket(action, channel) { throw fault(kind) }
        putPacket(direction, action, link, channel, value)
    }

    /// Removes and returns the pending text.
    public mutating func drain() -> String {
        String(decoding: drainBytes(), as: UTF8.self)
    }

    package mutating func drainBytes() -> [UInt8] {
        text.drain()
    }

    /// Calls `body` with the pending text, removes the text, and keeps the memory for further text.
    package mutating func drainBytes<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try text.drain(body)
    }

    package var pendingCount: Int { text.count }

    private func fault(_ kind: CaptureError.Kind) -> CaptureError {
        CaptureError(kind, line: rules.count + 1, column: 1)
    }

    /// Writes a line without checking the rules; the caller has checked them.
    package mutating func put(_ line: CaptureLine) {
        _ = rules.admit(line)
        append(line)
    }

    private mutating func append(_ line: CaptureLine) {
        switch line {
        case .version: text.append("\(CaptureLine.versionText)\n")
        case .blank: text.append("\n")
        case .comment(let comment): put("#", comment)
        case .name(let name, let uuid):
            text.append("@ \(name) \(uuid)\n")
            words = PacketWords()
        case .event(let event, let link):
            let link = link.map { "\($0.text)/" } ?? ""
            text.append("* \(link)\(event.words { $0.name(rules) })\n")
        case .packet(let packet):
            packet.bytes.withUnsafeBufferPointer {
                putPacket(
                    packet.direction, packet.action, packet.link, packet.channel, $0.span)
            }
        case .elapsed(let microseconds): putElapsed(microseconds)
        case .reading(let reading): put("=", reading)
        case .error(let error): put("!", error)
        }
    }

    private mutating func put(_ sign: String, _ rest: CaptureText) {
        text.append(rest.text == "" ? "\(sign)\n" : "\(sign) \(rest.text)\n")
    }

    private mutating func putPacket(
        _ direction: Direction, _ action: CaptureAction?, _ link: CaptureName?,
        _ channel: CaptureChannel, _ value: Span<UInt8>
    ) {
        var link = link?.text ?? ""
        link.withUTF8 { link in
            words.withText(channel, action, rules) { words in
                let signs = 4
                let length = signs + link.count + words.count + 3 * value.count
                text.append(atMost: length) { line in
                    line.put(UInt8(ascii: direction == .toDevice ? ">" : "<"))
                    line.put(UInt8(ascii: " "))
                    if !link.isEmpty {
                        line.put(link)
                        line.put(UInt8(ascii: "/"))
                    }
                    line.put(words)
                    line.putHexadecimalEnd(value)
                }
            }
        }
    }

    /// Writes a time in the largest unit that makes it at least 1.
    private mutating func putElapsed(_ microseconds: UInt64) {
        let (unit, decimals): (StaticString, Int) =
            switch microseconds {
            case 1_000_000...: ("s", 6)
            case 1_000...: ("ms", 3)
            default: ("us", 0)
            }
        let signs = 5
        text.append(atMost: signs + PendingText.Room.numberLength) { line in
            line.put(UInt8(ascii: "+"))
            line.put(UInt8(ascii: " "))
            line.put(microseconds, decimals: decimals)
            unit.withUTF8Buffer { line.put($0) }
            line.put(UInt8(ascii: "\n"))
        }
    }
}

/// The channel and the action of packets as text, with a cache.
private struct PacketWords: Sendable {
    private var entries: [(channel: CaptureChannel, action: CaptureAction?, text: [UInt8])] = []

    /// The maximum number of cached entries: more than the channels in use at a time.
    private static let limit = 16

    @inline(__always)
    mutating func withText(
        _ channel: CaptureChannel, _ action: CaptureAction?, _ rules: CaptureRules,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        // By index: an entry in a closure's argument is copied, with its text.
        let found = entries.indices.first {
            entries[$0].action == action && entries[$0].channel == channel
        }
        entries[found ?? add(channel, action, rules)].text.withUnsafeBufferPointer(body)
    }

    /// Adds an entry, in place of all others if there are many; returns its index.
    private mutating func add(
        _ channel: CaptureChannel, _ action: CaptureAction?, _ rules: CaptureRules
    ) -> Int {
        let words = channel.name(rules) + (action.map { " \($0.rawValue)" } ?? "")
        if entries.count == Self.limit { entries = [] }
        entries.append((channel, action, Array(words.utf8)))
        return entries.count - 1
    }
}

extension CaptureChannel {
    /// Returns the name of the channel, with the declared names.
    fileprivate func name(_ rules: CaptureRules) -> String {
        name { rules.name(of: $0)?.text ?? $0.lowercased }
    }
}
