internal import HaloProtocol

/// A line of a recording without the name of its connection.
enum RecordedLine {
    case event(CaptureEvent)
    /// A packet without the name of a connection.
    case packet(CapturePacket)
    case comment(CaptureText)

    /// Returns the line of a capture.
    func line(_ link: CaptureName?) -> CaptureLine {
        switch self {
        case .event(let event): .event(event, link: link)
        case .packet(let packet):
            .packet(
                CapturePacket(
                    unchecked: packet.direction, packet.action, link: link, packet.channel,
                    packet.bytes))
        case .comment(let text): .comment(text)
        }
    }

    /// The channel of a read, or of a write with a response; `nil` for other lines.
    var requested: CaptureChannel? {
        switch self {
        case .event(.read(let channel)): channel
        case .packet(let packet) where packet.action == .write: packet.channel
        default: nil
        }
    }

    /// The channel of an answer to a read or a write; `nil` for other lines.
    var answered: CaptureChannel? {
        switch self {
        case .event(.acknowledged(let channel)), .event(.refused(let channel, _)): channel
        case .packet(let packet) where packet.action == .read: packet.channel
        default: nil
        }
    }

    /// `true` if the line begins an exchange.
    var beginsExchange: Bool {
        switch self {
        case .packet(let packet): packet.direction == .toDevice
        case .event(.acknowledged), .event(.refused), .event(.confirmed): false
        case .event, .comment: true
        }
    }

    /// `true` if the line is a response to the line before it.
    var isResponse: Bool {
        switch self {
        case .event(.acknowledged), .event(.refused), .event(.confirmed): true
        case .event, .comment, .packet: false
        }
    }

    /// The approximate length of the line's text, with the time before it, in bytes.
    var cost: Int {
        switch self {
        case .packet(let packet): 32 + 3 * packet.bytes.count
        case .event(.offers): 112
        case .event: 40
        case .comment(let text): 16 + text.text.utf8.count
        }
    }
}
