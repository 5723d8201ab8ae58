import HaloCapture
import HaloProtocol

/// An input of a fuzz target, in the form that the target expects.
struct Seed {
    let target: String
    let bytes: [UInt8]

    init(_ target: String, _ bytes: [UInt8]) {
        self.target = target
        self.bytes = bytes
    }

    /// The inputs that a capture gives, itself included.
    static func seeds(of text: [UInt8]) -> [Seed] {
        let files = traffic(text)
        if !files.isEmpty { return files }
        // What a client does comes before the text of a capture; the options come before that.
        let replay = [0, 64, 0, 0, 1] + (0..<96).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        var seeds = [Seed("CaptureReader", text), Seed("Replay", replay + text.prefix(4_096))]
        var reader = CaptureReader()
        try? reader.read(text)
        let packets = reader.capture.lines.compactMap { line in
            if case .packet(let packet) = line { packet } else { nil }
        }
        seeds += packets.flatMap(seeds(of:))
        for direction in Direction.allCases {
            let isSame = { (packet: CapturePacket) in packet.direction == direction }
            seeds += bigData(packets.filter(isSame), direction)
        }
        return seeds + long(packets) + traffic(packets)
    }

    private static func seeds(of packet: CapturePacket) -> [Seed] {
        let bytes = packet.bytes
        let sign = sign(packet.direction)
        let explanation = Seed("Explanations", [0, 0] + bytes)
        switch packet.channel {
        case .uart:
            return [Seed("Frames", bytes), Seed("Commands", [sign] + bytes), explanation]
        case .bigData:
            return [explanation]
        case .family(let family):
            let index = DeviceFamilyCatalog.families.firstIndex(of: family) ?? 0
            return [Seed("Families", [UInt8(index), sign, 0, 0] + bytes), explanation]
        case .advertisement, .scanResponse:
            return [Seed("Advertising", [0, 0] + bytes), explanation]
        case .characteristic(let uuid):
            guard let number = uuid.short16 else { return [] }
            let low = UInt8(truncatingIfNeeded: number)
            let high = UInt8(truncatingIfNeeded: number >> 8)
            return [
                Seed("Characteristics", [low, high, 0, 0] + bytes), Seed("Texts", bytes),
            ]
        case .descriptor:
            return []
        }
    }

    /// Records, and the notifications that they came in.
    private static func bigData(_ packets: [CapturePacket], _ direction: Direction) -> [Seed] {
        var reassembler = BigDataReassembler()
        var seeds: [Seed] = []
        var notifications: [UInt8] = [1, 0xFF, 0xFF, 0x40]
        for packet in packets where packet.channel == .bigData {
            reassembler.receive(packet.bytes)
            for start in stride(from: 0, to: packet.bytes.count, by: 244) {
                let piece = packet.bytes[start...].prefix(244)
                notifications += [UInt8(piece.count)] + piece
            }
            while let event = reassembler.nextEvent() {
                guard case .frame(let frame) = event else { continue }
                seeds.append(
                    Seed("BigData", [sign(direction), frame.id, 0, 0, 0] + frame.payload))
            }
            if seeds.isEmpty || notifications.count > 2048 { continue }
            seeds.append(Seed("Reassembler", notifications))
        }
        return seeds
    }

    /// Runs of frames of one command that has long answers.
    private static func long(_ packets: [CapturePacket]) -> [Seed] {
        var seeds: [Seed] = []
        var run: [Frame] = []
        let end = { (run: [Frame]) in
            guard let first = run.first else { return }
            let payloads = run.flatMap { Array($0.payload) }
            seeds.append(
                Seed("Assemblies", [first.opcode, UInt8(clamping: run.count)] + payloads))
        }
        for packet in packets where packet.channel == .uart && packet.direction == .fromDevice {
            guard let frame = try? Frame(decoding: packet.bytes) else { continue }
            let isLong = CommandCatalog.entry(opcode: frame.opcode)?.hasManyFrames == true
            if !isLong || frame.opcode != run.first?.opcode || run.count == 255 {
                end(run)
                run = []
            }
            if isLong { run.append(frame) }
        }
        end(run)
        return seeds
    }

    private static func sign(_ direction: Direction) -> UInt8 {
        UInt8(ascii: direction == .toDevice ? ">" : "<")
    }
}
