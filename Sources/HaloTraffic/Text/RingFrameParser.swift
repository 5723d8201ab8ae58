import HaloCapture
import HaloProtocol

/// Reads the frames of a ring one after another, as the reference Python client records what it
/// receives when it is asked to with `--record`.
///
///     16 bytes, and a line feed, and 16 bytes, and a line feed …
///
/// Without line feeds it is read as well. A line feed ends nothing: bytes of a frame have the
/// same value. Frames are told by their sums; where one is wrong, the next place is looked for
/// where a frame is right and another one behind it, or the file's end. There are no times and
/// no directions: all frames came from the ring.
struct RingFrameParser: UnitParser {
    private var place = RecordPlace(number: 0, offset: 0, microseconds: 0)
    /// How many bytes lie between frames, once two were seen.
    private var gap: Int?
    private var isLost = false

    private static let lineFeed = UInt8(ascii: "\n")

    init() {}

    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        for gap in 0...1 {
            var position = 0
            var isBlank = true
            while isFrame(beginning, at: position) {
                if beginning[position] != 0 { isBlank = false }
                position += Frame.length + gap
            }
            let isCut = beginning.count >= TrafficFormat.detectionLength
            let isEnd = position >= beginning.count || isCut && position > 0
            if isEnd, position + Frame.length > beginning.count, !isBlank { return true }
        }
        return false
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        // Two frames and two line feeds: enough to know where a frame begins.
        let needed = 2 * (Frame.length + 1)
        guard bytes.count >= needed else { return .needs(needed) }
        return .took(take(bytes, at: offset, into: &sink))
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        var position = 0
        while position < rest.count {
            let left = rest.extracting(position..<rest.count)
            if left.count < Frame.length {
                let isEnd = left.count == 1 && left[0] == Self.lineFeed
                if !isEnd, !isLost { sink.note(.unfinishedPacket, at: next(offset + position)) }
                break
            }
            position += take(left, at: offset + position, into: &sink)
        }
        guard place.number > 0 || isLost else { throw TrafficError(.empty, at: offset) }
    }

    private func next(_ offset: Int) -> RecordPlace {
        RecordPlace(number: place.number + 1, offset: offset, microseconds: 0)
    }

    /// Takes a frame, or passes over what is none; says how many bytes that were.
    private mutating func take(
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
        place = next(offset)
        sink.take(
            .value(.fromDevice, .uart, nil), bytes.extracting(0..<Frame.length), at: place)
        return Frame.length + followingGap(bytes)
    }

    /// How many bytes lie between this frame and the next one.
    private mutating func followingGap(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > Frame.length, bytes[Frame.length] == Self.lineFeed else { return 0 }
        let isApart = Self.isFrame(bytes, at: Frame.length + 1)
        let isClose = Self.isFrame(bytes, at: Frame.length)
        if isApart != isClose { gap = isApart ? 1 : 0 }
        return gap ?? (bytes.count == Frame.length + 1 || isApart ? 1 : 0)
    }

    /// Whether a frame begins here that another one follows, or nothing.
    private static func isStart(_ bytes: Span<UInt8>) -> Bool {
        let length = Frame.length
        if bytes.count <= length + 1 { return true }
        return isFrame(bytes, at: length)
            || bytes[length] == lineFeed && isFrame(bytes, at: length + 1)
    }

    /// Whether sixteen bytes with the right sum begin here; sixteen zeros say nothing.
    private static func isFrame(_ bytes: Span<UInt8>, at position: Int) -> Bool {
        guard position + Frame.length <= bytes.count else { return false }
        let frame = bytes.extracting(position..<position + Frame.length)
        return (try? Frame(decoding: frame)) != nil
    }
}
