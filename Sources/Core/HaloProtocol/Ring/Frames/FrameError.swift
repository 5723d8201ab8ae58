/// The reason why bytes are no frame.
///
/// Errors in a frame's content are a ``PacketError``.
public struct FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; more kinds may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let words: FieldName

        /// The kind in words.
        public var description: String { words.description }

        public static let wrongLength = Kind(words: "a wrong length")
        public static let wrongChecksum = Kind(words: "a wrong checksum")
        public static let wrongMarker = Kind(words: "a wrong marker")
    }

    public let kind: Kind
    /// The offset of the error in bytes from the start of the frame.
    public let offset: Int
    public let expected: Int
    public let found: Int

    package init(_ kind: Kind, at offset: Int, expected: Int, found: Int) {
        self.kind = kind
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    // Throwing functions that are not inlined: a decoder that is inlined into an app then contains
    // calls instead of the code that makes errors.

    @usableFromInline @inline(never)
    static func throwLength(expected: Int, found: Int) throws(FrameError) -> Never {
        throw FrameError(.wrongLength, at: 0, expected: expected, found: found)
    }

    @usableFromInline @inline(never)
    static func throwChecksum(
        at offset: Int, expected: Int, found: Int
    ) throws(FrameError) -> Never {
        throw FrameError(.wrongChecksum, at: offset, expected: expected, found: found)
    }

    /// The error in one sentence.
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

    /// Returns the bytes in the order of the frame: one, or two with the lower first for a big-data
    /// checksum.
    private func hex(_ number: Int) -> String {
        let low = HexText.byte(UInt8(truncatingIfNeeded: number))
        let isOneByte = kind == .wrongMarker || offset == Frame.length - 1
        return isOneByte ? low : low + " " + HexText.byte(UInt8(truncatingIfNeeded: number >> 8))
    }
}
