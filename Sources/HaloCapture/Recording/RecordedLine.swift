import HaloProtocol

/// A line of a recording, without the connection that it belongs to.
enum RecordedLine {
    case event(CaptureEvent)
    /// A packet without the name of a connection.
    case packet(CapturePacket)
    case comment(CaptureText)

    /// The line of a capture.
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

    /// Whether something begins with it, and does not only go on.
    var beginsExchange: Bool {
        switch self {
        case .packet(let packet): packet.direction == .toDevice
        case .event(.acknowledged), .event(.refused), .event(.confirmed): false
        case .event, .comment: true
        }
    }

    /// Whether it says something of what stands before it.
    var isRemark: Bool {
        switch self {
        case .event(.acknowledged), .event(.refused), .event(.confirmed): true
        case .event, .comment, .packet: false
        }
    }

    /// How long its text is, with the time before it, more or less.
    var cost: Int {
        switch self {
        case .packet(let packet): 32 + 3 * packet.bytes.count
        case .event(.offers): 112
        case .event: 40
        case .comment(let text): 16 + text.text.utf8.count
        }
    }
}
