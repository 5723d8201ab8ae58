import HaloCapture
import HaloProtocol

/// The meaning of bytes, or the reason why they have none.
enum InputMeaning {
    case explained(Explanation)
    case unreadable(_ reason: String)
}

extension ExplainedPacket {
    var inputMeaning: InputMeaning {
        switch meaning {
        case .explained(let explanation): .explained(explanation)
        case .unknownChannel: .unreadable(undescribed)
        case .fault(let fault): .unreadable(fault.description)
        }
    }

    var undescribed: String {
        if case .descriptor = packet.channel { "descriptor" } else { "unknown characteristic" }
    }
}
