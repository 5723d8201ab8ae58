import HaloProtocol

/// A promise was broken: what the contract says, who broke it, and the bytes that show it.
///
/// Every check of this module throws it, so that a test of any framework, a fuzz target and a
/// script can report it alike.
public struct ContractViolation: Error, Hashable, Sendable {
    /// What is wrong, in a sentence.
    public let what: String
    /// The packet, the frame or the stream that is at fault.
    public let packet: String
    /// The bytes with which it happens.
    public let bytes: [UInt8]

    /// Says what is wrong with whom, and with which bytes.
    public init(_ what: String, packet: String, bytes: some Sequence<UInt8>) {
        self.what = what
        self.packet = packet
        self.bytes = Array(bytes)
    }
}

extension ContractViolation: CustomStringConvertible {
    /// The packet, the sentence and the bytes.
    public var description: String {
        "\(packet): \(what)\n    bytes: \(HexText.bytes(bytes, separator: " "))"
    }
}
