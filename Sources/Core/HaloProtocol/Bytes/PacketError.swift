/// A decoding error: the packet, the field, its offset, the value expected and the value found.
public struct PacketError: Error, Hashable, Sendable {
    /// The kind of a packet error; further kinds may be added.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The bytes end within the field.
        public static let truncated = Kind(code: 0)
        /// Bytes follow the end of the packet.
        public static let trailingBytes = Kind(code: 1)
        /// The packet belongs to another command.
        public static let wrongOpcode = Kind(code: 2)
        /// A number is out of the field's range.
        public static let outOfRange = Kind(code: 3)
        /// A code that is sent to a device is unknown.
        public static let unknownCode = Kind(code: 4)
        /// A byte that is zero in all captures is not zero.
        public static let notZero = Kind(code: 5)
        /// A byte is not binary-coded decimal.
        public static let notDecimal = Kind(code: 6)
        /// The date or the time does not exist.
        public static let noSuchTime = Kind(code: 7)
        /// A count or a length contradicts the number of bytes.
        public static let impossibleCount = Kind(code: 8)
        /// A frame of a long reply came out of order.
        public static let outOfOrder = Kind(code: 9)
        /// A frame of a long reply is missing.
        public static let missing = Kind(code: 10)
        /// Text is not valid UTF-8.
        public static let notText = Kind(code: 11)
        /// Two frames of a reply contradict each other.
        public static let contradiction = Kind(code: 12)
        /// A byte that always has the same value has another.
        public static let wrongMarker = Kind(code: 13)
    }

    public let kind: Kind
    /// The packet that was being decoded.
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
}

extension PacketError {
    @usableFromInline @inline(never)
    static func truncated(
        _ field: FieldName, at offset: Int, needs length: Int, remaining: Int
    ) -> PacketError {
        let length = Int64(length)
        return PacketError(
            .truncated, field: field, at: offset, expected: length...length,
            found: Int64(remaining))
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
}

/// Errors that every packet throws are thrown out of line: a decoder that is inlined into an app
/// then contains calls instead of the code that builds errors.
extension PacketError {
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
        throw truncated(field, at: offset, needs: length, remaining: remaining)
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
}

extension PacketError: CustomStringConvertible {
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

extension PacketError.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .truncated: "the bytes end too soon"
        case .trailingBytes: "bytes after the end"
        case .wrongOpcode: "the packet of another command"
        case .outOfRange: "a number that cannot be"
        case .unknownCode: "no known code"
        case .notZero: "a byte that should be zero"
        case .notDecimal: "no decimal digits"
        case .noSuchTime: "no such date or time"
        case .impossibleCount: "a count that cannot be"
        case .outOfOrder: "a part out of order"
        case .missing: "a part that never came"
        case .notText: "no valid UTF-8"
        case .contradiction: "parts that contradict each other"
        case .wrongMarker: "another marker"
        default: "something is wrong"
        }
    }
}
