public import HaloProtocol

/// One value that went over the air: a write, a notification, an answer, an advertisement.
public struct CapturePacket: Hashable, Sendable {
    /// Which way it went.
    public let direction: Direction
    /// What was done with it, if its line says so.
    public let action: CaptureAction?
    /// Which connection, where there are several.
    public let link: CaptureName?
    /// Where it was written, or where it came from.
    public let channel: CaptureChannel
    /// The value.
    public let bytes: [UInt8]

    /// How many bytes a packet may have: more than any value and any advertisement.
    public static let maximumLength = 2048

    /// A packet of at most ``maximumLength`` bytes, of which it is not said what was done.
    public init(
        _ direction: Direction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) throws(ValueError) {
        try Self.check(bytes)
        self.init(unchecked: direction, nil, link: link, channel, bytes)
    }

    /// A packet of at most ``maximumLength`` bytes.
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
