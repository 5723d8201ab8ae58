import HaloCapture

@testable import HaloProtocol

/// What the decoders say about every packet of a fixture.
struct FixtureReadings {
    /// What should stand behind a packet.
    enum Verdict: Hashable {
        /// Its `=` lines.
        case reads([String])
        /// Its `!` line.
        case fails(String)

        /// The lines.
        var lines: [CaptureLine] {
            switch self {
            case .reads(let readings): readings.map { .reading(CaptureText($0)) }
            case .fails(let error): [.error(CaptureText(error))]
            }
        }

        /// The lines as a file has them.
        var text: String {
            switch self {
            case .reads(let readings): readings.map { "= \($0)" }.joined(separator: "\n")
            case .fails(let error): "! \(error)"
            }
        }
    }

    /// A reply of many frames, and what splitting it gave.
    struct Joined {
        /// Where the packet that completed it stands among the packets.
        let last: Int
        /// The frames that were joined.
        let frames: [Frame]
        /// The frames that came of splitting the reply.
        let split: [Frame]
    }

    let file: FixtureFile
    /// The packets in order.
    let packets: [FixturePacket]
    /// What should stand behind each of them.
    private(set) var verdicts: [Verdict]
    /// The replies of many frames that are whole.
    private(set) var joined: [Joined] = []

    init(_ file: FixtureFile) {
        self.file = file
        packets = FixturePacket.all(of: file)
        verdicts = packets.map(Self.verdict)
        for entry in CommandCatalog.entries {
            guard let joiner = entry.joiner else { continue }
            for run in runs(of: entry.opcode) { join(run, joiner) }
        }
    }

    // MARK: One packet

    private static func verdict(_ packet: FixturePacket) -> Verdict {
        let explanation = Explanation(
            of: packet.bytes, as: kind(packet.channel), direction: packet.direction)
        return explanation.problem.map { .fails($0) } ?? .reads([explanation.reading])
    }

    private static func kind(_ channel: CaptureChannel) -> PacketKind? {
        switch channel {
        case .uart: .uart
        case .bigData: .bigData
        case .ledStrip: .ledStrip
        case .advertisement, .scanResponse: .advertisement
        case .characteristic(let uuid):
            CharacteristicCatalog.entry(uuid).map { .characteristic($0) }
        }
    }

    // MARK: Many frames

    /// Frames of a command that the device sent, with no question of the command between them.
    private func runs(of opcode: UInt8) -> [[(index: Int, frame: Frame)]] {
        var runs: [[(index: Int, frame: Frame)]] = [[]]
        var paragraph = 0
        for (index, packet) in packets.enumerated() where packet.channel == .uart {
            guard let frame = try? Frame(decoding: packet.bytes), frame.opcode == opcode else {
                continue
            }
            let isApart = file.folder == "Invalid" && packet.paragraph != paragraph
            paragraph = packet.paragraph
            if packet.direction == .toDevice || isApart { runs.append([]) }
            if packet.direction == .fromDevice { runs[runs.count - 1].append((index, frame)) }
        }
        return runs.filter { !$0.isEmpty }
    }

    private mutating func join(_ run: [(index: Int, frame: Frame)], _ joiner: FrameJoiner) {
        if file.folder == "Invalid" { return refuse(run, joiner) }
        var start = 0
        while start < run.count {
            let frames = run[start...].map(\.frame)
            let (answer, used, faults) = joiner.join(frames[...])
            guard let value = answer?.value, faults.isEmpty, value.frames.count == used else {
                start += 1
                continue
            }
            let last = run[start + used - 1].index
            joined.append(
                Joined(last: last, frames: Array(frames.prefix(used)), split: value.frames))
            if case .reads(let readings) = verdicts[last] {
                verdicts[last] = .reads(readings + [value.reading])
            }
            start += used
        }
    }

    /// Frames that are sound, and cannot be joined: the fault is that of the frame that causes it.
    private mutating func refuse(_ run: [(index: Int, frame: Frame)], _ joiner: FrameJoiner) {
        var known = 0
        for end in run.indices {
            let faults = joiner.join(run[...end].map(\.frame)[...]).faults
            if faults.count > known, let fault = faults.last {
                verdicts[run[end].index] = .fails(fault.description)
            }
            known = faults.count
        }
    }

    // MARK: Rewriting

    /// Writes the verdicts into the file, in place of the `=` and `!` lines that are there.
    func rewrite() {
        let places = Dictionary(
            uniqueKeysWithValues: zip(packets.map { $0.line - 1 }, verdicts))
        var lines: [CaptureLine] = []
        for (index, line) in file.capture.lines.enumerated() {
            switch line {
            case .reading, .error: continue
            default: lines.append(line)
            }
            lines += places[index]?.lines ?? []
        }
        guard let capture = try? Capture(lines) else { return }
        file.write(capture)
    }
}
