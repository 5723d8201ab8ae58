import HaloTransport
import TestSupport
import Testing

@testable import HaloProtocol

/// Notifications of a ring, made from a seed, and the frames that must come of them.
private struct Scenario {
    private var random: SplitMix
    /// The steps for the reassembler: notifications, and the points at which a session abandons.
    private(set) var steps: [Step] = []
    /// The frames that were sent whole, in the order in which they ended.
    private(set) var intact: [BigDataFrame] = []

    enum Step {
        case chunk([UInt8])
        case abandon
    }

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        // Open frames that never end: the session abandons before there are many.
        var broken = 0
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: sendNoise()
            case 1: sendWrongChecksum()
            case 2:
                sendHalf()
                broken += 1
            default: send(depth: broken == 0 ? Int.random(in: 0...2, using: &random) : 0, ids: [])
            }
            if broken > 1 || Int.random(in: 0..<4, using: &random) == 0 {
                steps.append(.abandon)
                broken = 0
            }
        }
    }

    /// A whole frame; others may come between its notifications.
    private mutating func send(depth: Int, ids: Set<UInt8>) {
        let frame = frame(excluding: ids)
        let chunks = chunks(of: frame)
        for (index, chunk) in chunks.enumerated() {
            if index > 0, depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
                send(depth: depth - 1, ids: ids.union([frame.id]))
            }
            steps.append(.chunk(chunk))
        }
        intact.append(frame)
    }

    /// A frame without its end. At least three bytes are missing: with fewer, the first bytes of
    /// the next frame may be just those.
    private mutating func sendHalf() {
        let bytes = frame(excluding: []).bytes
        let count = Int.random(in: 1...bytes.count - 3, using: &random)
        for chunk in chunks(of: Array(bytes[..<count])) { steps.append(.chunk(chunk)) }
    }

    /// A damaged frame, then an abandonment: the damaged frame may seem to wait for more bytes.
    private mutating func sendWrongChecksum() {
        var bytes = frame(excluding: []).bytes
        bytes[4] ^= UInt8.random(in: 1...255, using: &random)
        for chunk in chunks(of: bytes) { steps.append(.chunk(chunk)) }
        steps.append(.abandon)
    }

    private mutating func sendNoise() {
        let count = Int.random(in: 1...40, using: &random)
        steps.append(.chunk((0..<count).map { _ in UInt8.random(in: 0...0xBB, using: &random) }))
    }

    private mutating func frame(excluding ids: Set<UInt8>) -> BigDataFrame {
        let known: [UInt8] = [0x25, 0x27, 0x2A, 0x3E, 0x42, 0x45, 0xBC]
        let id = known.filter { !ids.contains($0) }.randomElement(using: &random) ?? 0
        let count = Int.random(in: 0...(Bool.random(using: &random) ? 20 : 900), using: &random)
        return BigDataFrame(
            id: id, unchecked: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private mutating func chunks(of frame: BigDataFrame) -> [[UInt8]] {
        chunks(of: frame.bytes)
    }

    /// Notifications of one length, as a link has it; now and then of any lengths.
    private mutating func chunks(of bytes: [UInt8]) -> [[UInt8]] {
        let length = [20, 182, 244].randomElement(using: &random) ?? 20
        let isEven = Int.random(in: 0..<4, using: &random) > 0
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = isEven ? length : Int.random(in: 1...length, using: &random)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }
}

@Suite(.computes) struct BigDataReassemblerModelTests {
    @Test func intactFramesComeOutAndNothingElse() {
        var intact = 0
        for seed in 1...6000 as ClosedRange<UInt64> {
            let scenario = Scenario(seed: seed)
            var reassembler = BigDataReassembler(maximumEventCount: 1000)
            var sent = 0
            for step in scenario.steps {
                switch step {
                case .chunk(let chunk):
                    sent += chunk.count
                    reassembler.receive(chunk)
                case .abandon: reassembler.abandon()
                }
            }
            reassembler.abandon()
            var frames: [BigDataFrame] = []
            var received = 0
            while let event = reassembler.nextEvent() {
                switch event {
                case .frame(let frame):
                    frames.append(frame)
                    received += frame.bytes.count
                case .uart: received += Frame.length
                case .fault(let fault): received += fault.bytes.count
                }
            }
            intact += frames.count
            #expect(received == sent, "seed \(seed): a byte was lost, or came twice")
            #expect(frames == scenario.intact, "seed \(seed)")
        }
        #expect(intact > 10_000)
    }
}
