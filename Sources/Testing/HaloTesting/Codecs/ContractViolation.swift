import HaloProtocol

/// A broken promise: the description, the subject, and the bytes that show it.
///
/// Every check throws it, so that tests of any framework, fuzz targets and scripts can report it in
/// the same way.
public struct ContractViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the failure, without its subject.
    public let what: String
    /// The name of the faulty packet, frame or stream.
    public let packet: String
    /// The bytes that show the failure.
    public let bytes: [UInt8]

    /// Creates a violation by a subject, with the bytes that show it.
    public init(_ what: String, packet: String, bytes: some Sequence<UInt8>) {
        self.what = what
        self.packet = packet
        self.bytes = Array(bytes)
    }

    /// The packet, the description and the bytes.
    public var description: String {
        "\(packet): \(what)\n    bytes: \(HexText.bytes(bytes, separator: " "))"
    }
}
