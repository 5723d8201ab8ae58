/// Why bytes are not a frame; what a frame carries is the business of ``PacketError``.
public struct FrameError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// There are more or fewer bytes than the frame has.
        public static let wrongLength = Kind(code: 0)
        /// The checksum contradicts the bytes.
        public static let wrongChecksum = Kind(code: 1)
        /// The first byte is not the one that begins such a frame.
        public static let wrongMarker = Kind(code: 2)
    }

    /// What went wrong.
    public let kind: Kind
    /// Where, counted in bytes from the start of the frame.
    public let offset: Int
    /// What would have been right.
    public let expected: Int
    /// What was there.
    public let found: Int

    /// Says what went wrong where.
    public init(_ kind: Kind, at offset: Int, expected: Int, found: Int) {
        self.kind = kind
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    @usableFromInline @inline(never)
    static func length(expected: Int, found: Int) -> FrameError {
        FrameError(.wrongLength, at: 0, expected: expected, found: found)
    }

    @usableFromInline @inline(never)
    static func checksum(at offset: Int, expected: Int, found: Int) -> FrameError {
        FrameError(.wrongChecksum, at: offset, expected: expected, found: found)
    }
}

/// Thrown out of line: a decoder that is inlined into an app then carries calls, and not the
/// making of errors.
extension FrameError {
    @usableFromInline @inline(never)
    static func throwLength(expected: Int, found: Int) throws(FrameError) -> Never {
        throw length(expected: expected, found: found)
    }

    @usableFromInline @inline(never)
    static func throwChecksum(
        at offset: Int, expected: Int, found: Int
    ) throws(FrameError) -> Never {
        throw checksum(at: offset, expected: expected, found: found)
    }
}

extension FrameError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch kind {
        case .wrongLength:
            return "length: expected \(expected) bytes, found \(found)."
        case .wrongChecksum:
            return "checksum at byte \(offset): expected \(hex(expected)), found \(hex(found))."
        default:
            return "marker at byte \(offset): expected \(hex(expected)), found \(hex(found))."
        }
    }

    /// The bytes as they stand in the frame: a big-data frame's checksum has two, the lower first.
    private func hex(_ number: Int) -> String {
        let low = HexText.byte(UInt8(truncatingIfNeeded: number))
        let isOneByte = kind == .wrongMarker || offset == Frame.length - 1
        return isOneByte ? low : low + " " + HexText.byte(UInt8(truncatingIfNeeded: number >> 8))
    }
}

extension FrameError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .wrongLength: "a wrong length"
        case .wrongChecksum: "a wrong checksum"
        default: "a wrong marker"
        }
    }
}
