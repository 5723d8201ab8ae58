/// Passes over the payload of a 16-byte frame.
public protocol FrameIO: FieldIO {
    /// Passes over all remaining bytes, whose meaning is unknown. Trailing zeros are padding.
    ///
    /// In the packets of this package they were zeros in every capture, unless a packet says
    /// otherwise.
    mutating func unclaimed(_ value: InlineBytes?) throws(PacketError) -> InlineBytes

    /// The next eight bytes, little endian, which are not consumed; zero after the payload, and for
    /// a writer.
    var upcomingBytes: UInt64 { get }
}
