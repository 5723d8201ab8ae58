/// An enumeration of the known values of a byte.
public protocol FieldCode: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == UInt8 {
    /// The words for all values. A type makes them once: `static let labels = FieldLabels<Sex>()`.
    static var labels: FieldLabels<Self> { get }
}

extension FieldCode {
    /// The value in words; in Embedded Swift, which has no names of cases at run time, its number.
    public var label: String {
        #if hasFeature(Embedded)
        "\(rawValue)"
        #else
        Self.labels.words[Int(rawValue)]
        #endif
    }
}

/// The words for the values of a code: the names of its cases, `averageSpeed` as `average speed`.
public struct FieldLabels<Code: FieldCode>: Sendable {
    #if !hasFeature(Embedded)
    /// The words by the number of the value.
    fileprivate let words: [String]
    #endif

    /// Creates the words for all cases; some can have others than their names.
    public init(_ others: KeyValuePairs<Code, FieldName> = [:]) {
        #if !hasFeature(Embedded)
        var words: [String] = []
        for code in Code.allCases {
            while words.count <= Int(code.rawValue) { words.append("") }
            words[Int(code.rawValue)] = String(describing: code).reduce(into: "") {
                $0 += $1.isUppercase ? " " + $1.lowercased() : String($1)
            }
        }
        for (code, other) in others { words[Int(code.rawValue)] = other.description }
        self.words = words
        #endif
    }
}

/// A code from a device: a known one, or a byte of unknown meaning.
@frozen
public struct Reported<Code: FieldCode>: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public var rawValue: UInt8

    /// Creates a code from its byte, known or not.
    @inlinable @inline(__always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a known code.
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
