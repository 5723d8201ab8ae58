import HaloTransport
import TestSupport
import Testing

@testable import HaloProtocol

private typealias Event = BigDataReassembler.Event

private func frame(_ id: UInt8, _ payload: [UInt8]) throws -> BigDataFrame {
    try BigDataFrame(id: id, payload: payload)
}

/// Payload bytes without a marker among them.
private func plain(_ count: Int, from first: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8(($0 * 7 + first) % 0xBC) }
}

private func events(
    _ chunks: [[UInt8]], maximumPayloadLength: Int = 0xFFFF, abandoning: Bool = true
) -> [Event] {
    var reassembler = BigDataReassembler(maximumPayloadLength: maximumPayloadLength)
    var events: [Event] = []
    for chunk in chunks {
        reassembler.receive(chunk)
        while let event = reassembler.nextEvent() { events.append(event) }
    }
    if abandoning { reassembler.abandon() }
    while let event = reassembler.nextEvent() { events.append(event) }
    return events
}

private func cut(_ bytes: [UInt8], into length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map {
        Array(bytes[$0..<min($0 + length, bytes.count)])
    }
}

private func fault(_ kind: BigDataFault.Kind, _ bytes: [UInt8]) -> Event {
    .fault(BigDataFault(kind, bytes: bytes))
}

@Suite(.computes) struct BigDataReassemblerTests {
    @Test(arguments: [0, 1, 2, 5, 238, 239, 482, 10_240])
    func joinsFramesThatWereCutAnywhere(length: Int) throws {
        let whole = try frame(0x27, plain(length))
        let wire = whole.bytes
        #expect(events([wire]) == [.frame(whole)])
        #expect(events(cut(wire, into: 1)) == [.frame(whole)])
        #expect(events(cut(wire, into: 20)) == [.frame(whole)])
        #expect(events(cut(wire, into: 244)) == [.frame(whole)])
        for place in 1..<min(wire.count, 300) {
            #expect(events([Array(wire[..<place]), Array(wire[place...])]) == [.frame(whole)])
        }
    }

    @Test func separatesFramesInOneNotification() throws {
        let first = try frame(0x3E, [0])
        let second = try frame(0x27, plain(49))
        let both = first.bytes + second.bytes
        for length in 1...both.count {
            #expect(events(cut(both, into: length)) == [.frame(first), .frame(second)])
        }
        #expect(
            events([both + [1, 2, 3]])
                == [.frame(first), .frame(second), fault(.unexpectedBytes, [1, 2, 3])])
    }

    @Test func continuationsMayBeginWithTheMarker() throws {
        var payload = plain(500)
        payload[238] = 0xBC
        let whole = try frame(0x42, payload)
        #expect(events(cut(whole.bytes, into: 244)) == [.frame(whole)])
        let markers = try frame(0x42, [UInt8](repeating: 0xBC, count: 1000))
        for length in [1, 2, 3, 20, 244] {
            #expect(events(cut(markers.bytes, into: length)) == [.frame(markers)])
        }
    }

    @Test func anotherRecordMayComeInBetween() throws {
        let outer = try frame(0x2A, plain(600))
        let inner = try frame(0x27, plain(300, from: 9))
        let innermost = try frame(0x3E, plain(20, from: 5))
        let pieces = cut(outer.bytes, into: 244)
        let inside = cut(inner.bytes, into: 244)
        let nested = [pieces[0], inside[0], innermost.bytes, inside[1], pieces[1], pieces[2]]
        #expect(events(nested) == [.frame(innermost), .frame(inner), .frame(outer)])
        // The inner frame is longer than the missing rest of the outer one.
        let long = [pieces[0], pieces[1]] + inside + [pieces[2]]
        #expect(events(long) == [.frame(inner), .frame(outer)])
        let twice = [pieces[0]] + inside + [pieces[1], innermost.bytes, pieces[2]]
        #expect(events(twice) == [.frame(inner), .frame(innermost), .frame(outer)])
    }

    @Test func frameOfAnotherRecordAfterHalfAFrameArrives() throws {
        let half = Array(try frame(0x2A, plain(600)).bytes[..<244])
        let next = try frame(0x27, plain(400))
        let sent = [half] + cut(next.bytes, into: 244) + cut(next.bytes, into: 244)
        #expect(events(sent) == [.frame(next), .frame(next), fault(.abandoned, half)])
    }

    @Test func sameRecordAgainReplacesTheFirst() throws {
        let half = Array(try frame(0x27, plain(600)).bytes[..<244])
        let next = try frame(0x27, plain(400))
        let expected = [fault(.abandoned, half), .frame(next)]
        #expect(events([half] + cut(next.bytes, into: 244)) == expected)
        #expect(events([Array(half[..<3])] + [next.bytes]).last == .frame(next))
    }

    @Test func wrongChecksumIsAFaultAndTheNextFrameIsRead() throws {
        let good = try frame(0x27, plain(49))
        var bad = good.bytes
        bad[20] ^= 1
        #expect(events([bad, good.bytes]) == [fault(.wrongChecksum, bad), .frame(good)])
        #expect(events([bad + good.bytes]) == [fault(.wrongChecksum, bad), .frame(good)])
        #expect(BigDataFault(.abandoned, bytes: [0xBC, 0x27]).id == 0x27)
        #expect(BigDataFault(.abandoned, bytes: [0xBC]).id == nil)
        #expect(BigDataFault(.unexpectedBytes, bytes: [0xBB, 0x27]).id == nil)
        let typo = try mistypedNight()
        #expect(events([typo]) == [fault(.wrongChecksum, typo)])
    }

    /// What looks like a frame inside of a right one may end where that one does.
    @Test func aLikenessThatEndsWithItsFrameIsDropped() throws {
        let whole = try frame(0x2A, [1, 2, 0xBC, 7, 2, 0, 0, 0, 5, 6])
        let pieces = [Array(whole.bytes[..<8]), Array(whole.bytes[8...]) + [9]]
        #expect(events(pieces) == [.frame(whole), fault(.unexpectedBytes, [9])])
    }

    @Test func damagedFrameInsideOfACrowdedOneIsCutOut() throws {
        let outer = try frame(0x2A, plain(260))
        let pieces = cut(outer.bytes, into: 244)
        var bad = try frame(0x27, plain(100)).bytes
        bad[50] ^= 4
        #expect(
            events([pieces[0], bad, pieces[1]]) == [fault(.wrongChecksum, bad), .frame(outer)])
    }

    @Test func endlessFrameIsAbandoned() {
        let endless: [UInt8] = [0xBC, 0x27, 0xFF, 0xFF, 0, 0] + plain(100)
        #expect(events([endless]) == [fault(.abandoned, endless)])
        #expect(events([endless], abandoning: false).isEmpty)
        #expect(events([[0xBC]]) == [fault(.abandoned, [0xBC])])
    }

    @Test func passesOverBytesBetweenFrames() throws {
        let good = try frame(0x27, plain(49))
        let noise = plain(9)
        #expect(
            events([noise, good.bytes, noise + good.bytes + noise])
                == [
                    fault(.unexpectedBytes, noise), .frame(good),
                    fault(.unexpectedBytes, noise), .frame(good),
                    fault(.unexpectedBytes, noise),
                ])
        // A false header in the noise does not hide the frame after it in the notification.
        let misleading: [UInt8] = [1, 0xBC, 0x11, 0x00, 0x40, 2, 3, 4]
        let expected = [
            fault(.unexpectedBytes, [1]), .frame(good),
            fault(.abandoned, Array(misleading.dropFirst())),
        ]
        #expect(events([misleading + good.bytes]) == expected)
    }

    @Test func longFramesAreRefusedByTheirHeader() throws {
        let long = try frame(0x27, plain(101)).bytes
        let good = try frame(0x27, plain(100))
        #expect(
            events([long, good.bytes], maximumPayloadLength: 100) == [
                fault(.tooLong, Array(long[..<6])),
                fault(.unexpectedBytes, Array(long[6...])), .frame(good),
            ])
        let shifted = [0xBC, 0xBC] + good.bytes
        #expect(
            events([shifted], maximumPayloadLength: 100).last == .frame(good))
        // A marker in a refused header may begin a frame, and so may any marker after it.
        let misleading: [UInt8] = [0xBC, 1, 0xFF, 0xFF, 5, 0xBC, 2, 32, 0, 7, 7]
        #expect(
            events([misleading + good.bytes + plain(40)], maximumPayloadLength: 100)
                .contains(.frame(good)))
        let (empty, short) = (try frame(0x27, []), try frame(0x27, [5]).bytes)
        #expect(
            events([empty.bytes, short], maximumPayloadLength: -1) == [
                .frame(empty), fault(.tooLong, Array(short[..<6])),
                fault(.unexpectedBytes, [5]),
            ])
    }

    @Test func uartFramesAreRecognised() throws {
        let raw = try HexText.parse("a103000c1f06fb0300000000000000d3")
        let refusal = try HexText.parse("bcee00000000000000000000000000aa")
        let good = try frame(0x27, plain(10))
        #expect(
            events([raw, refusal, raw + raw, raw + good.bytes + raw])
                == [
                    .uart(try Frame(decoding: raw)), .uart(try Frame(decoding: refusal)),
                    .uart(try Frame(decoding: raw)), .uart(try Frame(decoding: raw)),
                    .uart(try Frame(decoding: raw)), .frame(good), .uart(try Frame(decoding: raw)),
                ])
        #expect(events([raw.dropLast() + [0]]).count == 1)
    }

    @Test func bytesOfNoFrameAreOneFault() {
        var reassembler = BigDataReassembler()
        for chunk in [[1, 2], [3], [4, 5]] as [[UInt8]] { reassembler.receive(chunk) }
        #expect(reassembler.nextEvent() == fault(.unexpectedBytes, [1, 2, 3, 4, 5]))
        #expect(reassembler.nextEvent() == nil)
    }

    @Test func fullQueueCountsDroppedEvents() throws {
        var reassembler = BigDataReassembler(maximumEventCount: 4)
        let nothing = try frame(0x27, [0])
        for _ in 0..<10 { reassembler.receive(nothing.bytes) }
        for _ in 0..<3 { #expect(reassembler.nextEvent() == .frame(nothing)) }
        let lost = BigDataFault(.overflow, droppedEvents: 7)
        #expect(reassembler.nextEvent() == .fault(lost))
        reassembler.receive(nothing.bytes)
        #expect(reassembler.nextEvent() == .frame(nothing))
        #expect(reassembler.nextEvent() == nil)
    }

    @Test func workAndMemoryAreBounded() {
        // Markers everywhere, so that a frame may begin at every byte; several limits.
        for (seed, limit) in [(1, 0xFFFF), (2, 0xFFFF), (3, 200), (4, 20), (5, 7)]
            as [(UInt64, Int)]
        {
            var random = SplitMix(seed: seed)
            var reassembler = BigDataReassembler(maximumPayloadLength: limit)
            var received = 0
            for _ in 0..<20_000 {
                let chunk = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? 0xBC : UInt8.random(in: 0...UInt8(min(limit, 255)), using: &random) & 15
                }
                received += chunk.count
                reassembler.receive(chunk)
                #expect(
                    reassembler.pendingByteCount
                        <= BigDataHypotheses.maximumCount * (limit + BigDataFrame.headerLength))
                while reassembler.nextEvent() != nil {}
            }
            let checked = reassembler.hypotheses.checkedByteCount
            #expect((1...BigDataHypotheses.maximumCount * received).contains(checked))
        }
    }
}
