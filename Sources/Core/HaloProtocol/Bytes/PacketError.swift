/// A decoding error: the packet, the field, its offset, the value expected and the value found.
public struct PacketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a packet error; further kinds may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let words: FieldName

        /// The kind in words.
        public var description: String { words.description }

        public static let truncated = Kind(words: "the bytes end too soon")
        public static let trailingBytes = Kind(words: "bytes after the end")
        public static let wrongOpcode = Kind(words: "the packet of another command")
        public static let outOfRange = Kind(words: "a number that cannot be")
        /// A code that is sent to a device is unknown.
        public static let unknownCode = Kind(words: "no known code")
        /// A byte that is zero in all captures is not zero.
        public static let notZero = Kind(words: "a byte that should be zero")
        public static let notDecimal = Kind(words: "no decimal digits")
        public static let noSuchTime = Kind(words: "no such date or time")
        /// A count or a length contradicts the number of bytes.
        public static let impossibleCount = Kind(words: "a count that cannot be")
        public static let outOfOrder = Kind(words: "a part out of order")
        public static let missing = Kind(words: "a part that never came")
        public static let notText = Kind(words: "no valid UTF-8")
        public static let contradiction = Kind(words: "parts that contradict each other")
        /// A byte that always has the same value has another.
        public static let wrongMarker = Kind(words: "another marker")
    }

    public let kind: Kind
    public var packet: PacketName
    public let field: FieldName
    /// The offset of the field in bytes from the start of the packet.
    public let offset: Int
    /// The valid range, or `nil` if the valid values are no range.
    public let expected: ClosedRange<Int64>?
    /// The number found, or `nil` if the error is about no number.
    public let found: Int64?

    public init(
        _ kind: Kind, packet: PacketName = PacketName(""), field: FieldName, at offset: Int,
        expected: ClosedRange<Int64>? = nil, found: Int64? = nil
    ) {
        self.kind = kind
        self.packet = packet
        self.field = field
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    /// Returns the error with the name of a packet, unless it has one.
    @usableFromInline
    func named(_ name: PacketName) -> PacketError {
        var error = self
        if error.packet.subject == "" { error.packet = name }
        return error
    }

    /// Returns the error for an enclosing packet in which this one begins at `distance`.
    func moved(by distance: Int, into whole: PacketName? = nil) -> PacketError {
        PacketError(
            kind, packet: whole ?? packet, field: field, at: offset + distance,
            expected: expected, found: found)
    }

    @usableFromInline @inline(never)
    static func outOfRange(
        _ field: FieldName, at offset: Int, allowed: ClosedRange<UInt8>, found: UInt8
    ) -> PacketError {
        PacketError(
            .outOfRange, field: field, at: offset,
            expected: Int64(allowed.lowerBound)...Int64(allowed.upperBound), found: Int64(found))
    }

    @usableFromInline @inline(never)
    static func wrongMarker(
        _ field: FieldName, at offset: Int, _ expected: UInt8, found: UInt8
    ) -> PacketError {
        PacketError(
            .wrongMarker, field: field, at: offset, expected: Int64(expected)...Int64(expected),
            found: Int64(found))
    }

    @usableFromInline @inline(never)
    static func unknownCode(_ field: FieldName, at offset: Int, found: UInt8) -> PacketError {
        PacketError(.unknownCode, field: field, at: offset, found: Int64(found))
    }

    @usableFromInline @inline(never)
    static func notZero(at offset: Int, found: UInt8) -> PacketError {
        PacketError(.notZero, field: "zero", at: offset, expected: 0...0, found: Int64(found))
    }

    // Errors that every packet throws are thrown out of line: a decoder that is inlined into an app
    // then contains calls instead of the code that builds errors.

    @usableFromInline @inline(never)
    static func throwNamed(
        _ name: PacketName, _ error: PacketError
    ) throws(PacketError) -> Never {
        throw error.named(name)
    }

    @usableFromInline @inline(never)
    static func throwTruncated(
        _ field: FieldName, at offset: Int, needs length: Int, remaining: Int
    ) throws(PacketError) -> Never {
        let length = Int64(length)
        throw PacketError(
            .truncated, field: field, at: offset, expected: length...length,
            found: Int64(remaining))
    }

    @usableFromInline @inline(never)
    static func throwTrailingBytes(at offset: Int, count: Int) throws(PacketError) -> Never {
        throw PacketError(
            .trailingBytes, field: "end", at: offset, expected: 0...0, found: Int64(count))
    }

    @usableFromInline @inline(never)
    static func throwWrongOpcode(
        _ packet: PacketName, expected: UInt8, found: UInt8
    ) throws(PacketError) -> Never {
        throw PacketError(
            .wrongOpcode, packet: packet, field: "opcode", at: 0,
            expected: Int64(expected)...Int64(expected), found: Int64(found))
    }

    /// The error in one sentence: packet, field, offset, expected and found value.
    public var description: String {
        let name = packet.subject == "" ? "\(field)" : "\(packet), \(field)"
        return "\(name) at byte \(offset): \(reason)."
    }

    private var reason: String {
        let found = found ?? 0
        switch kind {
        case .truncated:
            return "needs \(count(expected?.lowerBound ?? 0, "byte")), but only \(found) left"
        case .trailingBytes:
            return "the packet should end here, but there \(found == 1 ? "is" : "are") "
                + "\(count(found, "byte")) more"
        case .wrongOpcode, .wrongMarker:
            return "expected \(hex(expected?.lowerBound ?? 0)), found \(hex(found))"
        case .unknownCode:
            return "\(found) is no known code"
        case .notZero:
            return "expected 0, found \(found)"
        case .notDecimal:
            return "expected two decimal digits, found \(hex(found))"
        case .noSuchTime:
            return "there is no such date or time"
        case .impossibleCount:
            return expected == nil
                ? "\(found) cannot be" : "\(found) cannot be, \(allowed) would be"
        case .outOfOrder where expected == nil:
            return "part \(found) came before the header"
        case .outOfOrder:
            return "expected part \(allowed), found part \(found)"
        case .missing:
            return "part \(allowed) never came"
        case .notText where self.found == nil:
            return "the text ends within a character"
        case .notText:
            return "\(hex(found)) does not continue valid UTF-8"
        case .contradiction where expected == nil || self.found == nil:
            return "earlier parts said something else"
        case .contradiction:
            return "earlier parts said \(allowed), this one says \(found)"
        default:
            return "expected \(allowed), found \(found)"
        }
    }

    private var allowed: String {
        guard let expected else { return "something else" }
        return expected.lowerBound == expected.upperBound
            ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
    }

    private func count(_ number: Int64, _ noun: FieldName) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private func hex(_ number: Int64) -> String {
        HexText.byte(UInt8(truncatingIfNeeded: number))
    }
}
