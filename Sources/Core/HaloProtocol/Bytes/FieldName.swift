/// The name of a field or a packet, the same in decoders, errors, explanations and fixtures.
@frozen
public struct FieldName: ExpressibleByStringLiteral, Sendable, Hashable, CustomStringConvertible {
    @usableFromInline let text: StaticString

    @inlinable @inline(__always)
    public init(stringLiteral value: StaticString) {
        text = value
    }

    /// Compares the characters of two names.
    public static func == (left: FieldName, right: FieldName) -> Bool {
        guard left.text.utf8CodeUnitCount == right.text.utf8CodeUnitCount else { return false }
        return left.text.withUTF8Buffer { left in
            right.text.withUTF8Buffer { right in unsafe left.elementsEqual(right) }
        }
    }

    /// Hashes the characters of the name.
    public func hash(into hasher: inout Hasher) {
        text.withUTF8Buffer { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The name as text.
    public var description: String { text.description }
}
