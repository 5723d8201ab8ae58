public import HaloProtocol

/// A packet of a capture with its meaning.
public struct ExplainedPacket: Hashable, Sendable {
    /// The meaning of a packet.
    public enum Meaning: Hashable, Sendable {
        /// The explanation; its status tells whether the packet could be decoded.
        case explained(Explanation)
        /// The characteristic or the descriptor is one that this package does not decode.
        case unknownChannel
        /// The bytes are no frame of the big-data service.
        case fault(BigDataFault)
    }

    /// The direction of the packet.
    public let direction: Direction
    /// The name of the connection; `nil` if it has none.
    public let link: CaptureName?
    /// The channel of the packet.
    public let channel: CaptureChannel
    /// All bytes of the packet, also those that came in earlier pieces.
    public let bytes: [UInt8]
    /// The meaning of the bytes.
    public let meaning: Meaning
    /// The value of the whole reply in words, if the packet is the last frame of a long reply.
    public let reply: String?

    init(
        _ direction: Direction, _ link: CaptureName?, _ channel: CaptureChannel, _ bytes: [UInt8],
        _ meaning: Meaning, reply: String? = nil
    ) {
        self.direction = direction
        self.link = link
        self.channel = channel
        self.bytes = bytes
        self.meaning = meaning
        self.reply = reply
    }

    /// `true` if the packet is known, and could be decoded.
    public var isDecoded: Bool {
        if case .explained(let explanation) = meaning { return explanation.status == .decoded }
        return false
    }
}
