import HaloCapture

/// The unpacked bytes of a part of a file, one piece after another.
///
/// A piece has at most 128 KiB, however well it was packed. All together have as many bytes as a
/// capture in memory (`CaptureReader.Limits.standard`), or ``longestRatio`` for each packed byte: a
/// few kilobytes may unpack to gigabytes.
struct PackedStream {
    /// Reads a range of a file. Fewer bytes mean that the file has ended.
    typealias Read = (Range<Int>) throws(FileReadingError<TrafficError>) -> ContiguousArray<UInt8>

    private(set) var packedCount = 0
    /// The number of bytes unpacked so far.
    private(set) var count = 0

    private let range: Range<Int>
    /// The unpacker, or `nil` for bytes that are not packed.
    private var unpacker: Unpacker?
    private let expected: (length: Int, checksum: UInt32)?
    private let read: Read
    private var checksum = CRC32()
    /// The packed bytes being used, and the index of the next one.
    private var input = ContiguousArray<UInt8>()
    private var next = 0
    private var hasEnded = false
    /// The error behind the last piece.
    private var failure: TrafficError?

    private static let pieceLength = 1 << 17
    /// More than logs and captures are packed to, which is a fifth to a twentieth.
    private static let longestRatio = 32

    /// The most unpacked bytes.
    var limit: Int

    init(
        _ range: Range<Int>, _ unpacker: Unpacker?,
        expected: (length: Int, checksum: UInt32)? = nil, _ read: @escaping Read
    ) {
        self.range = range
        self.unpacker = unpacker
        self.expected = expected
        self.read = read
        limit = max(
            CaptureReader.Limits.standard.length, Self.longestRatio * min(range.count, 1 << 40))
    }

    var packedLength: Int { range.count }

    /// Returns the next piece, or `nil` at the end. All pieces before an error come before it.
    mutating func nextPiece() throws(FileReadingError<TrafficError>) -> ContiguousArray<UInt8>? {
        while failure == nil, !hasEnded {
            if let piece = unpack() {
                check(piece)
                return piece
            }
            guard failure == nil else { break }
            let start = range.lowerBound + packedCount
            let end = min(start + Self.pieceLength, range.upperBound)
            input = try start < end ? read(start..<end) : []
            packedCount += input.count
            next = 0
            if input.isEmpty { finish() }
        }
        if let failure { throw .content(failure) }
        return nil
    }

    private mutating func unpack() -> ContiguousArray<UInt8>? {
        guard unpacker != nil else {
            defer { next = input.count }
            return next < input.count ? input : nil
        }
        let input = input
        do throws(TrafficError) {
            try unpacker?.unpack(input.span, from: &next)
        } catch {
            failure = error
        }
        var piece: ContiguousArray<UInt8>?
        unpacker?.drain { bytes in piece = bytes.withUnsafeBufferPointer { ContiguousArray($0) } }
        return piece
    }

    private mutating func check(_ piece: ContiguousArray<UInt8>) {
        count += piece.count
        if unpacker != nil, count > limit, failure == nil {
            failure = TrafficError(
                .tooLong, at: limit,
                hint: "it unpacks to far more than its length explains; unpack it first")
        }
        guard let expected else { return }
        checksum.update(piece.span)
        if count > expected.length, failure == nil {
            failure = TrafficError(
                .wrongChecksum, at: expected.length, hint: "it is longer than the archive says")
        }
    }

    private mutating func finish() {
        hasEnded = true
        do throws(TrafficError) {
            if packedCount < range.count {
                throw TrafficError(.truncated, at: count, missing: range.count - packedCount)
            }
            try unpacker?.finish()
            guard let expected else { return }
            guard count == expected.length else {
                throw TrafficError(
                    .wrongChecksum, at: count, missing: expected.length - count,
                    hint: "it is shorter than the archive says")
            }
            guard checksum.value == expected.checksum else {
                throw TrafficError(.wrongChecksum, at: count)
            }
        } catch {
            failure = error
        }
    }
}
