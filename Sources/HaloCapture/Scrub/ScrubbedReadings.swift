import HaloProtocol

/// What stands behind packets: `=` and `!` lines, as decoders say them of the new bytes.
struct ScrubbedReadings: Sendable {
    private struct Run: Hashable, Sendable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private var packet: ScrubPacket?
    private var run: Run?
    /// How many lines stand behind the packet so far.
    private var count = 0
    /// The frames of a command that came since it was last asked for.
    private var frames: [Run: [Frame]] = [:]
    /// How many frames were looked at to find what they complete, since then.
    private var steps: [Run: Int] = [:]

    /// How much is tried to find whole answers in one run of frames.
    private static let mostSteps = 1 << 18
    /// More frames than any answer has.
    private static let mostFrames = 512

    /// A line was a packet; what it completes is said of it.
    mutating func take(_ packet: ScrubPacket?, link: CaptureName?) {
        self.packet = packet
        count = 0
        run = nil
        guard let packet, packet.channel == .uart,
            let frame = try? Frame(decoding: packet.bytes),
            CommandCatalog.entry(opcode: frame.opcode)?.joiner != nil
        else { return }
        let run = Run(link: link, opcode: frame.opcode)
        if packet.direction == .toDevice {
            steps[run] = nil
            return frames[run] = []
        }
        self.run = run
        if frames[run, default: []].count >= Self.mostFrames { frames[run]?.removeFirst() }
        frames[run, default: []].append(frame)
    }

    /// What stands for a reading or an error; nothing where there is nothing to say.
    mutating func next(after line: CaptureLine) -> CaptureLine? {
        defer { count += 1 }
        guard let explanation = packet?.explanation else { return nil }
        if count == 0 {
            return explanation.problem.map { .error(CaptureText($0)) }
                ?? .reading(CaptureText(explanation.reading))
        }
        guard count == 1, explanation.problem == nil else { return nil }
        return joined().map { .reading(CaptureText($0)) }
    }

    /// The reading of the answer that the last frame completes.
    private mutating func joined() -> String? {
        guard let run, let frames = frames[run],
            let joiner = CommandCatalog.entry(opcode: run.opcode)?.joiner
        else { return nil }
        for start in frames.indices {
            guard steps[run, default: 0] < Self.mostSteps else { return nil }
            let (answer, used, faults) = joiner.join(frames[start...])
            steps[run, default: 0] += used
            guard let value = answer?.value, faults.isEmpty, start + used == frames.count,
                value.frames.count == used
            else { continue }
            return value.reading
        }
        return nil
    }
}
