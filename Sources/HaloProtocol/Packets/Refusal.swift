/// A ring's "no" on the UART channel.
///
///     ← op|80 EE 00 …    the command op is unsupported or refused; no other code was ever seen
///
/// A few real opcodes have bit 7 set as well (raw sensors are A1, memory reads C0): a frame is a
/// refusal just when byte 1 is EE and all that follows is zero.
public struct Refusal: Hashable, Sendable {
    /// The opcode that was refused, without bit 7.
    public let opcode: UInt8

    /// What stands behind the opcode.
    @usableFromInline static var code: UInt8 { 0xEE }
    /// What is added to the opcode.
    @usableFromInline static var bit: UInt8 { 0x80 }

    /// The refusal of a command; bit 7 of the opcode is dropped.
    @inlinable
    public init(of opcode: UInt8) {
        self.opcode = opcode & ~Self.bit
    }

    /// The refusal that a frame is, if it is one.
    @inlinable @inline(__always)
    public init?(_ frame: Frame) {
        guard let opcode = frame.refusedOpcode else { return nil }
        self.init(of: opcode)
    }

    /// The refusal as a frame.
    public var frame: Frame {
        var writer = FrameWriter(opcode: opcode | Self.bit)
        writer.uint8("code", Self.code)
        return writer.frame
    }
}

extension Frame {
    /// The opcode that this frame refuses, if it is a refusal.
    @inlinable @inline(__always)
    public var refusedOpcode: UInt8? {
        let refusal = UInt64(Refusal.code) &<< 8 | UInt64(Refusal.bit)
        let isRefusal =
            low & ~UInt64(~Refusal.bit) == refusal && high & 0x00FF_FFFF_FFFF_FFFF == 0
        return isRefusal ? opcode & ~Refusal.bit : nil
    }
}
