internal import HaloProtocol

/// What a line means for the exchanges of a connection.
extension CaptureLine {
    /// The channel of a read, or of a write with a response; `nil` for other lines.
    var requested: CaptureChannel? {
        switch self {
        case .event(.read(let channel), _): channel
        case .packet(let packet) where packet.action == .write: packet.channel
        default: nil
        }
    }

    /// The channel of an answer to a read or a write; `nil` for other lines.
    var answered: CaptureChannel? {
        switch self {
        case .event(.acknowledged(let channel), _), .event(.refused(let channel, _), _): channel
        case .packet(let packet) where packet.action == .read: packet.channel
        default: nil
        }
    }

    var beginsExchange: Bool {
        packet.map { $0.direction == .toDevice } ?? !isResponse
    }

    /// `true` if the line is a response to the line before it.
    var isResponse: Bool {
        switch self {
        case .event(.acknowledged, _), .event(.refused, _), .event(.confirmed, _): true
        default: false
        }
    }

    /// The approximate length of the line's text, with the time before it, in bytes.
    var cost: Int {
        switch self {
        case .packet(let packet): 32 + 3 * packet.bytes.count
        case .event(.offers, _): 112
        case .comment(let text): 16 + text.text.utf8.count
        default: 40
        }
    }
}
