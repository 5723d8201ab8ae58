/// The substitute for one packet line of a capture.
struct ScrubbedPiece: Sendable {
    var bytes: [UInt8]
    /// The number of replacements in the packet that ends with this piece.
    var replaced: [ScrubKind: Int] = [:]
    /// The reason why all bytes of the packet that ends with this piece were replaced; otherwise
    /// `nil`.
    var problem: String?
    /// The new packet that ends with this piece; `nil` if there is none.
    var whole: ScrubPacket?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ packet: ScrubPacket, _ outcome: PacketScrubber.Outcome) {
        bytes = outcome.bytes
        replaced = outcome.replaced
        problem = outcome.problem
        whole = ScrubPacket(
            direction: packet.direction, channel: packet.channel, bytes: outcome.bytes)
    }
}
