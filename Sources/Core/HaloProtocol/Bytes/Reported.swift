/// A code from a device: a known one, or a byte of unknown meaning.
@frozen
public struct Reported<Code: FieldCode>: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable @inline(__always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable @inline(__always)
    public init(_ code: Code) {
        rawValue = code.rawValue
    }

    /// The code, or `nil` if it is unknown.
    @inlinable
    public var known: Code? { Code(rawValue: rawValue) }

    /// Returns `true` if the device reported this code.
    @inlinable
    public static func == (reported: Reported, code: Code) -> Bool {
        reported.rawValue == code.rawValue
    }

    /// Returns `true` if the device reported another code.
    @inlinable
    public static func != (reported: Reported, code: Code) -> Bool {
        reported.rawValue != code.rawValue
    }

    /// Matches a known code in a `switch`.
    @inlinable
    public static func ~= (code: Code, reported: Reported) -> Bool {
        reported.rawValue == code.rawValue
    }
}

extension Reported: CustomStringConvertible {
    /// The code in words, or the number of an unknown one.
    public var description: String {
        known?.label ?? "unknown (\(rawValue))"
    }
}
