/// A byte of flags; bits of unknown meaning are kept.
public protocol FieldFlags: OptionSet, Hashable, Sendable, CustomStringConvertible
where RawValue == UInt8, Element == Self {
    /// Returns the meaning of a bit, or `nil` if it is unknown.
    static func label(ofBit bit: UInt8) -> FieldName?
}

extension FieldFlags {
    /// The flags that are set, in words: `blood oxygen, weather, bit 5 (unknown)`.
    public var description: String {
        var text = ""
        for bit: UInt8 in 0..<8 where rawValue >> bit & 1 == 1 {
            if text != "" { text += ", " }
            text += Self.label(ofBit: bit)?.description ?? "bit \(bit) (unknown)"
        }
        return text == "" ? "none" : text
    }
}
