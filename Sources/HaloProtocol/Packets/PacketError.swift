/// Why bytes are not the packet they were taken for: which field, at which byte, what was there.
public struct PacketError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The bytes end before the field does.
        public static let truncated = Kind(code: 0)
        /// Bytes follow where the packet has ended.
        public static let trailingBytes = Kind(code: 1)
        /// The packet belongs to another command.
        public static let wrongOpcode = Kind(code: 2)
        /// A number lies outside of what the field can hold.
        public static let outOfRange = Kind(code: 3)
        /// A code that is sent to a device is none of the known ones.
        public static let unknownCode = Kind(code: 4)
        /// A byte that is always zero is not.
        public static let notZero = Kind(code: 5)
        /// A byte is not two decimal digits.
        public static let notDecimal = Kind(code: 6)
        /// Date or time does not exist.
        public static let noSuchTime = Kind(code: 7)
        /// A count or a length contradicts the bytes that are there.
        public static let impossibleCount = Kind(code: 8)
        /// A part of a long reply came where another one was due.
        public static let outOfOrder = Kind(code: 9)
        /// A part of a long reply never came.
        public static let missing = Kind(code: 10)
        /// Text is not valid UTF-8.
        public static let notText = Kind(code: 11)
        /// Two parts of one reply contradict each other.
        public static let contradiction = Kind(code: 12)
        /// A byte that is always the same is another.
        public static let wrongMarker = Kind(code: 13)
    }

    /// What went wrong.
    public let kind: Kind
    /// The packet that was being decoded.
    public var packet: PacketName
    /// The field.
    public let field: FieldName
    /// Where the field begins, counted in bytes from the start of the packet.
    public let offset: Int
    /// What would have been right, where a range can say it.
    public let expected: ClosedRange<Int64>?
    /// What was found, where a number can say it.
    public let found: Int64?

    /// Says what went wrong with a field.
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

    /// The same error, said of a packet by name.
    @usableFromInline
    func named(_ name: PacketName) -> PacketError {
        var error = self
        if error.packet.subject == "" { error.packet = name }
        return error
    }

    /// The same error, seen from what the packet is a part of and begins `distance` bytes into.
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
    static func trailingBytes(at offset: Int, count: Int) -> PacketError {
        PacketError(
            .trailingBytes, field: "end", at: offset, expected: 0...0, found: Int64(count))
    }

    @usableFromInline @inline(never)
    static func wrongOpcode(
        _ packet: PacketName, expected: UInt8, found: UInt8
    ) -> PacketError {
        PacketError(
            .wrongOpcode, packet: packet, field: "opcode", at: 0,
            expected: Int64(expected)...Int64(expected), found: Int64(found))
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

/// What every packet throws is thrown out of line: a decoder that is inlined into an app then
/// carries calls, and not the making of errors.
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
        throw trailingBytes(at: offset, count: count)
    }

    @usableFromInline @inline(never)
    static func throwWrongOpcode(
        _ packet: PacketName, expected: UInt8, found: UInt8
    ) throws(PacketError) -> Never {
        throw wrongOpcode(packet, expected: expected, found: found)
    }
}
