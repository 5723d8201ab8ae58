import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct TextRingFrameTests {
    /// Frames with line feeds among their bytes.
    static let frames: [[UInt8]] = [
        [3, 82, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 85],
        [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 150],
        [0x43, 0xF0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B],
        [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
        [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
        [105, 1, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 186],
    ]

    private func expect(_ file: [UInt8], _ frames: [[UInt8]], _ notes: [TrafficOddity] = []) {
        for length in [1, 5, 17, 4096] {
            let sink = TextSink.read(file, RingFrameParser(), inPiecesOf: length)
            #expect(sink.records.map(\.bytes) == frames)
            #expect(sink.notes == notes)
            #expect(sink.error == nil)
        }
    }

    @Test func readsFramesWithAndWithoutLineFeeds() {
        expect(Self.frames.flatMap { $0 + [10] }, Self.frames)
        expect(Self.frames.flatMap { $0 }, Self.frames)
        let sink = TextSink.read(Self.frames[0], RingFrameParser())
        #expect(sink.records.first?.kind == .value(.fromDevice, .uart, nil))
    }

    @Test func findsItsWayBack() {
        var damaged = Self.frames
        damaged[2][3] ^= 1
        let rest = Self.frames.enumerated().filter { $0.offset != 2 }.map(\.element)
        expect(damaged.flatMap { $0 + [10] }, rest, [.unknownPacket])
        let lost = Self.frames[0] + [10, 1, 2, 3] + Self.frames[2...].flatMap { $0 + [10] }
        expect(lost, [Self.frames[0]] + Self.frames[2...], [.unknownPacket])
    }

    @Test func notesAnUnfinishedFrame() {
        expect(
            Self.frames[0] + [10] + Self.frames[2].dropLast(), [Self.frames[0]], [.unfinishedPacket]
        )
    }

    @Test func isDetected() {
        for gap in [[], [10]] as [[UInt8]] {
            let file = ContiguousArray(Self.frames.flatMap { $0 + gap })
            #expect(TrafficFormat.detect(file.span) == .ringFrames)
        }
    }
}
