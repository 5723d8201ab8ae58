import HaloProtocol

/// Writes a capture as text, line by line: what a recorder does.
///
/// What it wrote reads back to the same lines. It keeps no more than the text that nobody took yet.
public struct CaptureWriter: Sendable {
    private var rules = CaptureRules()
    private var text = ""

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
        defer { text = "" }
        return text
    }

    /// Writes a line that the rules allow.
    mutating func put(_ line: CaptureLine) {
        switch line {
        case .version: text += "halo-capture 1"
        case .blank: break
        case .comment(let comment): put("#", comment)
        case .name(let name, let uuid): text += "@ \(name) \(uuid)"
        case .event(let event, let link): text += "* \(prefix(link))\(words(event))"
        case .packet(let packet): put(packet)
        case .elapsed(let microseconds): text += "+ \(Self.time(microseconds))"
        case .reading(let reading): put("=", reading)
        case .error(let error): put("!", error)
        }
        text += "\n"
        _ = rules.admit(line)
    }

    private mutating func put(_ sign: String, _ rest: CaptureText) {
        text += rest.text == "" ? sign : "\(sign) \(rest)"
    }

    private mutating func put(_ packet: CapturePacket) {
        text += packet.direction == .toDevice ? "> " : "< "
        text += prefix(packet.link) + name(packet.channel)
        for byte in packet.bytes { text += " " + HexText.byte(byte) }
    }

    private func prefix(_ link: CaptureName?) -> String { link.map { "\($0)/" } ?? "" }

    private func name(_ channel: CaptureChannel) -> String {
        if case .characteristic(let uuid) = channel {
            return rules.name(of: uuid)?.text ?? uuid.description.lowercased()
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
