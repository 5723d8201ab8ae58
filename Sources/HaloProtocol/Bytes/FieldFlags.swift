/// A byte of switches; those that nobody has described are kept.
public protocol FieldFlags: OptionSet, Hashable, Sendable, CustomStringConvertible
where RawValue == UInt8, Element == Self {
    /// What a bit says when it is set; nothing for a bit that nobody has described.
    static func label(ofBit bit: UInt8) -> FieldName?
}

extension FieldFlags {
    /// The bits that are set, in words: `blood oxygen, weather, bit 5 (unknown)`.
    public var description: String {
        var text = ""
        for bit: UInt8 in 0..<8 where rawValue >> bit & 1 == 1 {
            if text != "" { text += ", " }
            text += Self.label(ofBit: bit)?.description ?? "bit \(bit) (unknown)"
        }
        return text == "" ? "none" : text
    }
}

extension FieldReader where Self: ~Escapable {
    /// A byte of switches, known or not.
    @inlinable @inline(__always)
    public mutating func flags<Flags: FieldFlags>(
        _ name: FieldName, _ type: Flags.Type = Flags.self
    ) throws(PacketError) -> Flags {
        let flags = Flags(rawValue: try uint8(name))
        means { flags.description }
        return flags
    }
}

extension FieldWriter {
    /// A byte of switches.
    @inlinable @inline(__always)
    public mutating func flags<Flags: FieldFlags>(_ name: FieldName, _ flags: Flags) {
        uint8(name, flags.rawValue)
    }
}
