package import HaloProtocol

/// What the decoders of today say about every packet of a capture.
///
/// Frames that a device cut into pieces are one packet, with the line of the last piece. Behind
/// the last frame of a reply that takes many, the reply is said as well.
public struct CaptureReadings: Sendable {
    /// A reply of many frames, and what splitting it gave.
    package struct Joined: Sendable {
        /// Which of the readings completed it.
        package let last: Int
        /// The frames that were joined.
        package let frames: [Frame]
        /// The frames that came of splitting the reply.
        package let split: [Frame]
    }

    /// The packets in order.
    public private(set) var all: [CaptureReading] = []
    /// The replies of many frames that are whole.
    package private(set) var joined: [Joined] = []

    private let lines: [CaptureLine]

    /// Reads all packets of a capture.
    public init(_ capture: Capture) {
        lines = capture.lines
        var collector = ReadingCollector()
        for line in capture.timedLines { collector.take(line) }
        all = collector.finish()
        var runs = FrameRuns()
        for (place, reading) in all.enumerated() { runs.take(reading.packet, place) }
        for run in runs.finish() { join(run) }
    }

    /// The capture with these readings in place of its `=` and `!` lines.
    public func annotated() throws(CaptureError) -> Capture {
        var verdicts: [Int: CaptureReading.Verdict] = [:]
        for reading in all { verdicts[reading.line] = reading.verdict }
        var annotated = Capture()
        for (index, line) in lines.enumerated() {
            switch line {
            case .reading, .error: break
            default: try annotated.append(line)
            }
            for line in verdicts[index + 1]?.lines ?? [] { try annotated.append(line) }
        }
        return annotated
    }

    // MARK: Many frames

    /// How much is tried to find whole replies in one run of frames.
    private static let mostSteps = 1 << 18

    private mutating func join(_ run: FrameRuns.Run) {
        guard let joiner = CommandCatalog.entry(opcode: run.opcode)?.joiner else { return }
        var start = 0
        var steps = 0
        while start < run.frames.count, steps < Self.mostSteps {
            let frames = run.frames[start...]
            let (answer, used, faults) = joiner.join(frames)
            steps += used
            guard let value = answer?.value, faults.isEmpty, value.frames.count == used else {
                start += 1
                continue
            }
            let last = run.places[start + used - 1]
            joined.append(
                Joined(last: last, frames: Array(frames.prefix(used)), split: value.frames))
            if case .reads(let readings) = all[last].verdict {
                all[last].verdict = .reads(readings + [value.reading])
            }
            start += used
        }
    }
}

/// Frames of one command that a device sent, with no question of the command between them.
struct FrameRuns {
    struct Run {
        let opcode: UInt8
        var frames: [Frame] = []
        /// Where the frames stand among the packets.
        var places: [Int] = []
    }

    private struct Key: Hashable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private var open: [Key: Run] = [:]
    private var ended: [Run] = []

    mutating func take(_ packet: CaptureReading.WholePacket, _ place: Int) {
        guard packet.channel == .uart, let frame = try? Frame(decoding: packet.bytes),
            CommandCatalog.entry(opcode: frame.opcode)?.joiner != nil
        else { return }
        let key = Key(link: packet.link, opcode: frame.opcode)
        switch packet.direction {
        case .toDevice:
            if let run = open.removeValue(forKey: key) { ended.append(run) }
        case .fromDevice:
            open[key, default: Run(opcode: frame.opcode)].frames.append(frame)
            open[key]?.places.append(place)
        }
    }

    mutating func finish() -> [Run] {
        ended += open.values
        open = [:]
        return ended.sorted { ($0.places.first ?? 0) < ($1.places.first ?? 0) }
    }
}
