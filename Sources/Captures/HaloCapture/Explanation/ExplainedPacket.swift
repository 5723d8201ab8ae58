package import HaloProtocol

package struct ExplainedPacket: Hashable, Sendable {
    package enum Meaning: Hashable, Sendable {
        /// The explanation; its status tells whether the packet could be decoded.
        case explained(Explanation)
        /// The characteristic or the descriptor is one that this package does not decode.
        case unknownChannel
        /// The bytes are no frame of the big-data service.
        case fault(BigDataFault)
    }

    /// The packet, with the bytes that came in earlier pieces.
    package let packet: CapturePacket
    package let meaning: Meaning
    /// The value of the whole reply in words, if the packet is the last frame of a long reply.
    package let reply: String?

    package var isDecoded: Bool {
        if case .explained(let explanation) = meaning { return explanation.status == .decoded }
        return false
    }
}
