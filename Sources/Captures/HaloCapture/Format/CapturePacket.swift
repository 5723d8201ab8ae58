public import HaloProtocol

/// A transferred value: a write, a notification, a response to a read, an advertisement.
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

    struct Stream: Hashable, Sendable {
        let link: CaptureName?
        let direction: Direction
    }

    var stream: Stream { Stream(link: link, direction: direction) }

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

    package init(
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

extension CapturePacket {
    /// The explanation of the bytes; `nil` for a channel without decoders.
    var explanation: Explanation? { explanation(of: bytes) }

    func explanation(of bytes: [UInt8]) -> Explanation? {
        channel.packetKind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }
}
