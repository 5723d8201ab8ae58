import HaloCapture

@testable import HaloProtocol

/// The readings of every packet of a fixture by the decoders.
struct FixtureReadings {
    typealias Verdict = CaptureReading.Verdict

    /// A reply of many frames, joined and split again.
    struct Joined {
        /// The index of the packet that completed it.
        let last: Int
        /// The frames that were joined.
        let frames: [Frame]
        /// The frames of the split reply.
        let split: [Frame]
    }

    let file: FixtureFile
    /// The packets in order.
    let packets: [FixturePacket]
    /// The reading or the error of each packet.
    private(set) var verdicts: [Verdict]
    /// The complete replies of many frames.
    private(set) var joined: [Joined] = []

    init(_ file: FixtureFile) {
        self.file = file
        packets = FixturePacket.all(of: file)
        guard file.folder == "Invalid" else {
            let readings = CaptureReadings(file.capture)
            let places = Dictionary(
                uniqueKeysWithValues: zip(packets.map(\.line), packets.indices))
            var verdicts = packets.map { _ in Verdict.reads([]) }
            for reading in readings.all {
                guard let place = places[reading.line] else { continue }
                verdicts[place] = reading.verdict
                guard let reply = reading.joined else { continue }
                joined.append(Joined(last: place, frames: reply.frames, split: reply.split))
            }
            self.verdicts = verdicts
            return
        }
        verdicts = packets.map(Self.verdict)
        for entry in CommandCatalog.entries {
            guard let assembly = entry.assembly else { continue }
            for run in runs(of: entry.opcode) { refuse(run, assembly.init()) }
        }
    }

    // MARK: One packet

    private static func verdict(_ packet: FixturePacket) -> Verdict {
        let explanation = Explanation(
            of: packet.bytes, as: packet.channel.packetKind, direction: packet.direction)
        return explanation.problem.map { .fails($0) } ?? .reads([explanation.reading])
    }

    // MARK: Many frames

    /// Joins frames of a command from the device, without a request of the command between them.
    private func runs(of opcode: UInt8) -> [[(index: Int, frame: Frame)]] {
        var runs: [[(index: Int, frame: Frame)]] = [[]]
        var paragraph = 0
        for (index, packet) in packets.enumerated() where packet.channel == .uart {
            guard let frame = try? Frame(decoding: packet.bytes), frame.opcode == opcode else {
                continue
            }
            let isApart = packet.paragraph != paragraph
            paragraph = packet.paragraph
            if packet.direction == .toDevice || isApart { runs.append([]) }
            if packet.direction == .fromDevice { runs[runs.count - 1].append((index, frame)) }
        }
        return runs.filter { !$0.isEmpty }
    }

    /// Joins valid frames that contradict each other: the error is that of the frame at fault.
    private mutating func refuse(
        _ run: [(index: Int, frame: Frame)], _ assembly: any ReplyAssembly
    ) {
        var assembly = assembly
        for (index, frame) in run {
            do throws(PacketError) {
                if try assembly.join(frame) != nil { return }
            } catch {
                verdicts[index] = .fails(error.description)
            }
        }
    }

    // MARK: Rewriting

    /// Writes the readings into the file in place of its `=` and `!` lines.
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

extension CaptureReading.Verdict {
    /// The lines in the format of a file.
    var text: String {
        switch self {
        case .reads(let readings): readings.map { "= \($0)" }.joined(separator: "\n")
        case .fails(let error): "! \(error)"
        }
    }
}
