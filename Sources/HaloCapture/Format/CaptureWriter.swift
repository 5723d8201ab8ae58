import HaloProtocol

/// Writes a capture as text, line by line: what a recorder does.
///
/// What it wrote reads back to the same lines. It keeps no more than the text that nobody took yet.
public struct CaptureWriter: Sendable {
    private var rules = CaptureRules()
    private var bytes: [UInt8] = []

    /// Starts with nothing written.
    public init() {}

    /// Writes a line, if it may follow those that were written before.
    public mutating func write(_ line: CaptureLine) throws(CaptureError) {
        if let kind = rules.broken(by: line) {
            throw CaptureError(kind, line: rules.count + 1, column: 1)
        }
        put(line)
    }

    /// Hands over what was written since the last time.
    public mutating func take() -> String {
        String(decoding: takeBytes(), as: UTF8.self)
    }

    /// Hands over what was written since the last time, as UTF-8.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// How many bytes nobody took yet.
    public var pendingCount: Int { bytes.count }

    /// Writes a line that the rules allow.
    mutating func put(_ line: CaptureLine) {
        switch line {
        case .version: put("halo-capture 1")
        case .blank: break
        case .comment(let comment): put("#", comment)
        case .name(let name, let uuid): put("@ \(name) \(uuid)")
        case .event(let event, let link): put("* \(prefix(link))\(words(event))")
        case .packet(let packet):
            packet.bytes.withUnsafeBufferPointer {
                putPacket(packet.direction, link: packet.link, packet.channel, $0.span)
            }
        case .elapsed(let microseconds): put("+ \(Self.time(microseconds))")
        case .reading(let reading): put("=", reading)
        case .error(let error): put("!", error)
        }
        bytes.append(UInt8(ascii: "\n"))
        _ = rules.admit(line)
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func put(_ sign: String, _ rest: CaptureText) {
        put(rest.text == "" ? sign : "\(sign) \(rest)")
    }

    private mutating func putPacket(
        _ direction: Direction, link: CaptureName?, _ channel: CaptureChannel, _ value: Span<UInt8>
    ) {
        put(direction == .toDevice ? "> " : "< ")
        if let link { put("\(link)/") }
        put(name(channel))
        for index in value.indices {
            bytes.append(UInt8(ascii: " "))
            bytes.append(HexText.digit(value[index] >> 4))
            bytes.append(HexText.digit(value[index] & 0x0F))
        }
    }

    private func prefix(_ link: CaptureName?) -> String { link.map { "\($0)/" } ?? "" }

    private func name(_ channel: CaptureChannel) -> String {
        if case .characteristic(let uuid) = channel {
            return rules.name(of: uuid)?.text ?? uuid.lowercased
        }
        return channel.knownName ?? ""
    }

    private func words(_ event: CaptureEvent) -> String {
        switch event {
        case .connected(let mtu): "connected" + (mtu.map { " mtu \($0)" } ?? "")
        case .mtu(let mtu): "mtu \(mtu)"
        case .subscribed(let channel): "subscribed \(name(channel))"
        case .unsubscribed(let channel): "unsubscribed \(name(channel))"
        case .read(let channel): "read \(name(channel))"
        case .acknowledged(let channel): "acknowledged \(name(channel))"
        case .refused(let channel, let code): "refused \(name(channel)) \(HexText.byte(code))"
        case .confirmed(let channel): "confirmed \(name(channel))"
        case .offers(let service, let characteristic, let properties):
            "offers \(service.lowercased) \(characteristic.lowercased)\(properties.words)"
        case .servicesChanged: "services-changed"
        case .encrypted: "encrypted"
        case .disconnected(let reason):
            "disconnected" + (reason.map { " \(HexText.byte($0))" } ?? "")
        case .advertised(let rssi): "advertised" + (rssi.map { " rssi \($0)" } ?? "")
        }
    }

    /// The time in the largest unit that makes it at least 1.
    static func time(_ microseconds: UInt64) -> String {
        for (unit, name, digits) in [(1_000_000 as UInt64, "s", 6), (1_000, "ms", 3)] {
            guard microseconds >= unit else { continue }
            let rest = String(microseconds % unit)
            var fraction = String(repeating: "0", count: digits - rest.count) + rest
            while fraction.last == "0" { fraction.removeLast() }
            let whole = microseconds / unit
            return fraction == "" ? "\(whole)\(name)" : "\(whole).\(fraction)\(name)"
        }
        return "\(microseconds)us"
    }
}
