import HaloCapture
import HaloProtocol

/// Reads the frames of a ring one after another, as the reference Python client records them with
/// `--record`.
///
///     16 bytes, and a line feed, and 16 bytes, and a line feed …
///
/// Files without line feeds are read as well. A line feed does not end a frame, as bytes of a frame
/// can have the same value. A frame is recognised by its checksum. After a wrong checksum, reading
/// continues at the next correct frame that is followed by another frame or by the end of the file.
/// There are no times and no directions: all frames are from the ring.
struct RingFrameParser: UnitParser {
    private var position = FilePosition.start
    /// The number of bytes between frames, or `nil` until it is certain.
    private var gap: Int?
    private var isLost = false

    private static let lineFeed = UInt8(ascii: "\n")

    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        for gap in 0...1 {
            var position = 0
            var isBlank = true
            while isFrame(beginning, at: position) {
                if beginning[position] != 0 { isBlank = false }
                position += Frame.length + gap
            }
            let isCut = beginning.count >= TrafficFormat.binaryDetectionLength
            let isEnd = position >= beginning.count || isCut && position > 0
            if isEnd, position + Frame.length > beginning.count, !isBlank { return true }
        }
        return false
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        // The length of two frames with two line feeds, which shows where a frame begins.
        let needed = 2 * (Frame.length + 1)
        guard bytes.count >= needed else { return .needs(needed) }
        return .read(readFrame(bytes, at: offset, into: &sink))
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        var index = 0
        while index < rest.count {
            let left = rest.extracting(index..<rest.count)
            if left.count < Frame.length {
                let isEnd = left.count == 1 && left[0] == Self.lineFeed
                if !isEnd, !isLost { sink.note(.unfinishedPacket, at: next(offset + index)) }
                break
            }
            index += readFrame(left, at: offset + index, into: &sink)
        }
        guard position.number > 0 || isLost else { throw TrafficError(.empty, at: offset) }
    }

    private func next(_ offset: Int) -> FilePosition {
        FilePosition(number: position.number + 1, offset: offset, microseconds: 0)
    }

    /// Reads a frame, or skips a byte. Returns the number of bytes.
    private mutating func readFrame(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) -> Int {
        guard Self.isFrame(bytes, at: 0), !isLost || Self.isStart(bytes) else {
            let isBetween = Self.isFrame(bytes, at: 1) || bytes.count <= Frame.length
            if bytes[0] == Self.lineFeed, !isLost, isBetween { return 1 }
            if !isLost { sink.note(.unknownPacket, at: next(offset)) }
            isLost = true
            return 1
        }
        isLost = false
        position = next(offset)
        sink.receive(
            .value(.fromDevice, .uart, nil), bytes.extracting(0..<Frame.length), at: position)
        return Frame.length + followingGap(bytes)
    }

    private mutating func followingGap(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > Frame.length, bytes[Frame.length] == Self.lineFeed else { return 0 }
        let isApart = Self.isFrame(bytes, at: Frame.length + 1)
        let isClose = Self.isFrame(bytes, at: Frame.length)
        if isApart != isClose { gap = isApart ? 1 : 0 }
        return gap ?? (bytes.count == Frame.length + 1 || isApart ? 1 : 0)
    }

    /// `true` if a frame begins here and is followed by another frame, or by the end.
    private static func isStart(_ bytes: Span<UInt8>) -> Bool {
        let length = Frame.length
        if bytes.count <= length + 1 { return true }
        return isFrame(bytes, at: length)
            || bytes[length] == lineFeed && isFrame(bytes, at: length + 1)
    }

    /// `true` if sixteen bytes with a correct checksum begin here.
    private static func isFrame(_ bytes: Span<UInt8>, at position: Int) -> Bool {
        guard position + Frame.length <= bytes.count else { return false }
        let frame = bytes.extracting(position..<position + Frame.length)
        return (try? Frame(decoding: frame)) != nil
    }
}
