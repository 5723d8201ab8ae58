public import HaloProtocol

/// A transferred value: a write, a notification, an answer to a read, an advertisement.
public struct CapturePacket: Hashable, Sendable {
    /// The direction of the transfer.
    public let direction: Direction
    /// The action; `nil` if the line has none.
    public let action: CaptureAction?
    /// The name of the connection; `nil` if it has none.
    public let link: CaptureName?
    /// The channel of the value.
    public let channel: CaptureChannel
    /// The value.
    public let bytes: [UInt8]

    /// The maximum number of bytes of a packet: more than any value and any advertisement.
    public static let maximumLength = 2048

    /// Creates a packet of at most ``maximumLength`` bytes without an action.
    public init(
        _ direction: Direction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) throws(ValueError) {
        try Self.check(bytes)
        self.init(unchecked: direction, nil, link: link, channel, bytes)
    }

    /// Creates a packet of at most ``maximumLength`` bytes with an action.
    public init(
        _ action: CaptureAction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) throws(ValueError) {
        try Self.check(bytes)
        self.init(unchecked: action.direction, action, link: link, channel, bytes)
    }

    private static func check(_ bytes: [UInt8]) throws(ValueError) {
        guard bytes.count > maximumLength else { return }
        throw ValueError("bytes", allowed: 0...Int64(maximumLength), found: Int64(bytes.count))
    }

    init(
        unchecked direction: Direction, _ action: CaptureAction?, link: CaptureName? = nil,
        _ channel: CaptureChannel, _ bytes: [UInt8]
    ) {
        self.direction = direction
        self.action = action
        self.link = link
        self.channel = channel
        self.bytes = bytes
    }
}

/// The operation that transferred a value.
public enum CaptureAction: String, CaseIterable, Hashable, Sendable {
    /// An answer to a read.
    case read
    /// A write with a response, in one packet or in prepared pieces.
    case write
    /// A write without a response.
    case command
    /// A write without a response, with a signature that is not part of the value.
    case signed
    /// A notification.
    case notified
    /// An indication.
    case indicated

    /// The direction of values with this action.
    public var direction: Direction {
        switch self {
        case .write, .command, .signed: .toDevice
        case .read, .notified, .indicated: .fromDevice
        }
    }
}

/// Determines the action of each value of a capture, line by line.
///
/// A line without an action, as in version 1, is a command if it is to the device. Otherwise it is
/// the answer to the first unanswered read of its channel, or else a notification. A descriptor
/// has neither commands nor notifications: its values are writes and answers.
public struct CaptureActions: Sendable {
    private struct Source: Hashable {
        let link: CaptureName?
        let channel: CaptureChannel
    }

    /// The number of unanswered reads of each channel.
    private var reads: [Source: Int] = [:]

    /// Creates the state before the first line.
    public init() {}

    /// Updates the state by an event.
    public mutating func note(_ event: CaptureEvent, link: CaptureName?) {
        switch event {
        case .read(let channel): reads[Source(link: link, channel: channel), default: 0] += 1
        case .refused(let channel, _): _ = endRead(Source(link: link, channel: channel))
        case .connected, .disconnected: reads = reads.filter { $0.key.link != link }
        default: break
        }
    }

    /// Returns the action of the next packet, and updates the state.
    public mutating func action(of packet: CapturePacket) -> CaptureAction {
        if packet.direction == .toDevice {
            return packet.action ?? (packet.channel.isDescriptor ? .write : .command)
        }
        if let action = packet.action, action != .read { return action }
        let wasAsked = endRead(Source(link: packet.link, channel: packet.channel))
        return packet.action ?? (wasAsked || packet.channel.isDescriptor ? .read : .notified)
    }

    private mutating func endRead(_ source: Source) -> Bool {
        guard let count = reads[source] else { return false }
        reads[source] = count > 1 ? count - 1 : nil
        return true
    }
}
