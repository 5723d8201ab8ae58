/// A byte with a list of known meanings.
public protocol FieldCode: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == UInt8 {
    /// The meaning in words.
    var label: FieldName { get }
}

/// A code as a device reported it: one of the known ones, or a byte nobody has described yet.
@frozen
public struct Reported<Code: FieldCode>: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public var rawValue: UInt8

    /// A code by its byte, known or not.
    @inlinable @inline(__always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A known code.
    @inlinable @inline(__always)
    public init(_ code: Code) {
        rawValue = code.rawValue
    }

    /// The code, if it is a known one.
    @inlinable
    public var known: Code? { Code(rawValue: rawValue) }

    /// Whether the device reported just this code.
    @inlinable
    public static func == (reported: Reported, code: Code) -> Bool {
        reported.rawValue == code.rawValue
    }

    /// Whether the device reported something else than this code.
    @inlinable
    public static func != (reported: Reported, code: Code) -> Bool {
        reported.rawValue != code.rawValue
    }

    /// Lets a `switch` over a report name known codes.
    @inlinable
    public static func ~= (code: Code, reported: Reported) -> Bool {
        reported.rawValue == code.rawValue
    }
}

extension Reported: CustomStringConvertible {
    /// The meaning in words, or the bare number of an unknown code.
    public var description: String {
        known.map { $0.label.description } ?? "unknown (\(rawValue))"
    }
}
