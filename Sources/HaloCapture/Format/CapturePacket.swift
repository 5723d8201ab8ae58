public import HaloProtocol

/// One value that went over the air: a write, a notification, an answer, an advertisement.
public struct CapturePacket: Hashable, Sendable {
    /// Which way it went.
    public let direction: Direction
    /// Which connection, where there are several.
    public let link: CaptureName?
    /// Where it was written, or where it came from.
    public let channel: CaptureChannel
    /// The value.
    public let bytes: [UInt8]

    /// How many bytes a packet may have: more than any value and any advertisement.
    public static let maximumLength = 2048

    /// A packet of at most ``maximumLength`` bytes.
    public init(
        _ direction: Direction, link: CaptureName? = nil, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) throws(ValueError) {
        guard bytes.count <= Self.maximumLength else {
            throw ValueError(
                "bytes", allowed: 0...Int64(Self.maximumLength), found: Int64(bytes.count))
        }
        self.init(unchecked: direction, link: link, channel, bytes)
    }

    init(
        unchecked direction: Direction, link: CaptureName?, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) {
        self.direction = direction
        self.link = link
        self.channel = channel
        self.bytes = bytes
    }
}
