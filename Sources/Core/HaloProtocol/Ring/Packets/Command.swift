/// A command of the UART channel: a namespace for the packets of one opcode.
public protocol Command {
    /// The opcode, the name and the evidence.
    static var facts: CommandFacts { get }
}

extension Command {
    /// The first byte of the command's frames.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { facts.code }
    /// The name of the type, as programs write it.
    @inlinable @inline(__always)
    public static var name: FieldName { facts.name }
    /// `true` if no request changes the ring.
    @inlinable public static var onlyReads: Bool { facts.onlyReads }
}

extension Frame {
    /// The opcode that this frame refuses, or `nil` if the frame is no refusal.
    @inlinable @inline(__always)
    package var refusedOpcode: UInt8? {
        let refusal = UInt64(Refusal.code) &<< 8 | UInt64(Refusal.bit)
        let isRefusal =
            low & ~UInt64(~Refusal.bit) == refusal && high & 0x00FF_FFFF_FFFF_FFFF == 0
        return isRefusal ? opcode & ~Refusal.bit : nil
    }
}
