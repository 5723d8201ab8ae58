/// A ring's refusal of a command on the UART channel.
///
///     ← op|80 EE 00 …    the command op is unsupported or refused; no other code was ever seen
///
/// A few real opcodes have bit 7 set as well (raw sensors are A1, memory reads C0): a frame is a
/// refusal only if byte 1 is EE and all later bytes are zero.
public struct Refusal: Hashable, Sendable {
    /// The refused opcode, without bit 7.
    public let opcode: UInt8

    /// The byte after the opcode.
    @usableFromInline static var code: UInt8 { 0xEE }
    /// The bit that is added to the opcode.
    @usableFromInline static var bit: UInt8 { 0x80 }

    /// Creates the refusal of a command; bit 7 of the opcode is dropped.
    @inlinable
    public init(of opcode: UInt8) {
        self.opcode = opcode & ~Self.bit
    }

    /// Creates the refusal in a frame; `nil` for any other frame.
    @inlinable @inline(__always)
    public init?(_ frame: Frame) {
        guard let opcode = frame.refusedOpcode else { return nil }
        self.init(of: opcode)
    }

    /// The refusal as a frame.
    public var frame: Frame {
        var writer = FrameWriter(opcode: opcode | Self.bit)
        writer.put(UInt64(Self.code), width: 1)
        return writer.frame
    }
}
