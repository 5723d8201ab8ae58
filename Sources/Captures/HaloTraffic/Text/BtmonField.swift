/// A field of a packet in the output of `btmon`: the first line with its label, or given bytes.
/// Numbers have a length in bytes.
enum BtmonField: Sendable {
    /// The number in the last parentheses.
    case code(StaticString, Int = 1)
    /// The hexadecimal number after the label, or after another one.
    case plainCode(StaticString, or: StaticString? = nil, Int = 1)
    /// A decimal number of one byte.
    case number(StaticString)
    case address(StaticString)
    case handle
    /// The bytes of all dump lines, of a packet that `btmon` does not know.
    case dump(count: Int)
    case bytes(ContiguousArray<UInt8>?)
}
