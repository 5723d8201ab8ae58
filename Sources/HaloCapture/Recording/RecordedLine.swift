import HaloProtocol

/// A line of a recording, without the connection that it belongs to.
enum RecordedLine {
    case event(CaptureEvent)
    case packet(Direction, CaptureChannel, [UInt8])
    case comment(CaptureText)

    /// The line of a capture.
    func line(_ link: CaptureName?) -> CaptureLine {
        switch self {
        case .event(let event): .event(event, link: link)
        case .packet(let direction, let channel, let bytes):
            .packet(CapturePacket(unchecked: direction, link: link, channel, bytes))
        case .comment(let text): .comment(text)
        }
    }

    /// Whether something begins with it, and does not only go on.
    var beginsExchange: Bool {
        switch self {
        case .packet(let direction, _, _): direction == .toDevice
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
        case .packet(_, _, let bytes): 24 + 3 * bytes.count
        case .event(.offers): 112
        case .event: 40
        case .comment(let text): 16 + text.text.utf8.count
        }
    }
}
