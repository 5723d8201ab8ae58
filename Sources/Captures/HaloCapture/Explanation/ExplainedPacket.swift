package import HaloProtocol

/// A packet of a capture with its meaning.
package struct ExplainedPacket: Hashable, Sendable {
    /// The meaning of a packet.
    package enum Meaning: Hashable, Sendable {
        /// The explanation; its status tells whether the packet could be decoded.
        case explained(Explanation)
        /// The characteristic or the descriptor is one that this package does not decode.
        case unknownChannel
        /// The bytes are no frame of the big-data service.
        case fault(BigDataFault)
    }

    /// The direction of the packet.
    package let direction: Direction
    /// The name of the connection; `nil` if it has none.
    package let link: CaptureName?
    /// The channel of the packet.
    package let channel: CaptureChannel
    /// All bytes of the packet, also those that came in earlier pieces.
    package let bytes: [UInt8]
    /// The meaning of the bytes.
    package let meaning: Meaning
    /// The value of the whole reply in words, if the packet is the last frame of a long reply.
    package let reply: String?

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
    package var isDecoded: Bool {
        if case .explained(let explanation) = meaning { return explanation.status == .decoded }
        return false
    }
}
