import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// Frames are found in notifications of any lengths.
@Suite(.computes) struct BigDataStreamTests {
    private func frame(_ id: UInt8, _ count: Int) throws -> [UInt8] {
        try BigDataFrame(
            id: id, payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 1) }
        ).bytes
    }

    private func stream(_ pieces: [[UInt8]]) -> BigDataStream {
        var stream = BigDataStream()
        for piece in pieces { stream.append(piece) }
        return stream
    }

    private func covers(_ stream: BigDataStream) -> Bool {
        let places = stream.items().flatMap(\.runs).flatMap { Array($0) }
        return places.sorted() == Array(stream.bytes.indices)
    }

    @Test func findsAFrameThatIsCutAnywhere() throws {
        let bytes = try frame(0x2A, 30)
        for cut in 1..<bytes.count {
            let stream = stream([Array(bytes[..<cut]), [], Array(bytes[cut...])])
            #expect(stream.items() == [BigDataStream.Item(runs: [0..<bytes.count])])
        }
        #expect(stream(bytes.map { [$0] }).items() == [BigDataStream.Item(runs: [0..<bytes.count])])
        #expect(stream([bytes + bytes]).items().count == 2)
    }

    @Test func findsAFrameInsideOfAnother() throws {
        let outer = try frame(0x2A, 40)
        let inner = try frame(0x27, 9)
        for cut in 6..<outer.count {
            let stream = stream([
                Array(outer[..<cut]), Array(inner.prefix(7)), Array(inner.dropFirst(7)), inner,
                Array(outer[cut...]),
            ])
            let items = stream.items()
            #expect(items.count == 3)
            #expect(items[2].runs.flatMap { stream.bytes[$0] } == outer)
            #expect(covers(stream))
        }
    }

    @Test func bytesOfNoFrameAreLoose() throws {
        let bytes = try frame(0x2A, 30)
        var broken = bytes
        broken[20] ^= 1
        let stream = stream([[1, 2, 3], broken, bytes, bytes.dropLast(), [0xBC]])
        #expect(covers(stream))
        #expect(
            stream.items().map(\.runs)
                == [[0..<3], [3..<39], [39..<75], [75..<110], [110..<111]])
        #expect(stream.items().map(\.isLoose) == [true, true, false, true, true])
        #expect(BigDataStream().items() == [])
        #expect(self.stream([[], [], []]).items() == [])
    }

    @Test func lengthsThatLieCostNoSquare() {
        // Each piece announces 65,535 bytes: all of them together would be looked at 20,000 times.
        let piece: [UInt8] = [0xBC, 0x2A, 0xFF, 0xFF, 0, 0, 1, 2, 3, 4]
        let stream = stream([[UInt8]](repeating: piece, count: 20_000))
        let clock = ContinuousClock()
        var count = 0
        let time = clock.measure { count = stream.items().count }
        #expect(count == 20_000)
        #expect(time < .seconds(20))
    }
}
