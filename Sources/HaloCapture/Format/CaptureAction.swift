public import HaloProtocol

/// The way in which a value went over the air.
public enum CaptureAction: String, CaseIterable, Hashable, Sendable {
    /// An answer to a read.
    case read
    /// A write with a response to come, in one packet or in prepared pieces.
    case write
    /// A write without a response.
    case command
    /// A write without a response, with a signature that is not part of the value.
    case signed
    /// A notification.
    case notified
    /// An indication.
    case indicated

    /// The way that values go with which this is done.
    public var direction: Direction {
        switch self {
        case .write, .command, .signed: .toDevice
        case .read, .notified, .indicated: .fromDevice
        }
    }
}

/// Knows what was done with each value of a capture, line by line.
///
/// A line that does not say it, as none of version 1 does, is a command, or the answer to the first
/// read of its channel that was not answered, or else a notification.
public struct CaptureActions: Sendable {
    private struct Place: Hashable {
        let link: CaptureName?
        let channel: CaptureChannel
    }

    /// How many reads of a channel are not answered.
    private var reads: [Place: Int] = [:]

    /// Starts before the first line.
    public init() {}

    /// Takes in an event.
    public mutating func note(_ event: CaptureEvent, link: CaptureName?) {
        switch event {
        case .read(let channel): reads[Place(link: link, channel: channel), default: 0] += 1
        case .refused(let channel, _): _ = endRead(Place(link: link, channel: channel))
        case .connected, .disconnected: reads = reads.filter { $0.key.link != link }
        default: break
        }
    }

    /// Takes in a packet, and says what was done with it.
    public mutating func action(of packet: CapturePacket) -> CaptureAction {
        if packet.direction == .toDevice { return packet.action ?? .command }
        if let action = packet.action, action != .read { return action }
        let wasAsked = endRead(Place(link: packet.link, channel: packet.channel))
        return packet.action ?? (wasAsked ? .read : .notified)
    }

    private mutating func endRead(_ place: Place) -> Bool {
        guard let count = reads[place] else { return false }
        reads[place] = count > 1 ? count - 1 : nil
        return true
    }
}
