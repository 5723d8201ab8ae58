import HaloCapture
import HaloProtocol

/// Explains the lines of a capture one after another, and joins what was cut into pieces.
struct CaptureDecoder {
    /// Which way, on which connection.
    private struct Lane: Hashable {
        let link: CaptureName?
        let direction: Direction
    }

    /// The frames of one command on one connection.
    private struct Run: Hashable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private let printer: CapturePrinter
    private var records: [Lane: BigDataReassembler] = [:]
    private var replies: [Run: [Frame]] = [:]
    private var last: TimedLine?

    /// Whether anything was not decoded.
    private(set) var foundFault = false

    /// A capture has few connections; what begins beyond that takes the place of all.
    private static let mostLanes = 64
    /// The longest answer has far fewer frames.
    private static let mostFrames = 512

    init(_ path: String, isJSON: Bool) {
        printer = CapturePrinter(path: path, isJSON: isJSON)
    }

    mutating func take(_ line: TimedLine, _ console: inout Console) {
        last = line
        switch line.line {
        case .packet(let packet) where packet.channel == .bigData:
            takeRecord(packet, line, &console)
        case .packet(let packet):
            let explanation = packet.channel.packetKind.map {
                Explanation(of: packet.bytes, as: $0, direction: packet.direction)
            }
            if explanation?.status != .decoded { foundFault = true }
            let reply = packet.channel == .uart ? completed(packet) : nil
            printer.print(line, packet, explanation, reply: reply, &console)
        case .event(let event, let link):
            if case .disconnected = event { abandon(link, line, &console) }
            printer.print(line, event, link, &console)
        case .comment(let text): printer.print(text, &console)
        case .version, .blank, .name, .elapsed, .reading, .error: break
        }
    }

    /// Says of what is not whole at the end that it is not.
    mutating func finish(_ console: inout Console) {
        guard let last else { return }
        for lane in records.keys.sorted(by: Self.isBefore) {
            abandon(lane, last, &console)
        }
    }

    /// Says what stopped the reading.
    mutating func complain(_ problem: String, _ console: inout Console) {
        foundFault = true
        printer.complain(problem, &console)
    }

    // MARK: Records

    private mutating func takeRecord(
        _ packet: CapturePacket, _ line: TimedLine, _ console: inout Console
    ) {
        let lane = Lane(link: packet.link, direction: packet.direction)
        if records.count >= Self.mostLanes, records[lane] == nil { records = [:] }
        records[lane, default: BigDataReassembler()].receive(packet.bytes)
        var isWhole = false
        while let event = records[lane]?.nextEvent() {
            isWhole = true
            print(event, lane, line, &console)
        }
        if !isWhole { printer.printPiece(line, packet, &console) }
    }

    private mutating func abandon(
        _ link: CaptureName?, _ line: TimedLine, _ console: inout Console
    ) {
        for direction in Direction.allCases {
            abandon(Lane(link: link, direction: direction), line, &console)
        }
        replies = replies.filter { $0.key.link != link }
    }

    private mutating func abandon(
        _ lane: Lane, _ line: TimedLine, _ console: inout Console
    ) {
        guard var reassembler = records.removeValue(forKey: lane) else { return }
        reassembler.abandon()
        while let event = reassembler.nextEvent() { print(event, lane, line, &console) }
    }

    private mutating func print(
        _ event: BigDataReassembler.Event, _ lane: Lane, _ line: TimedLine,
        _ console: inout Console
    ) {
        let place = CapturePrinter.Place(
            direction: lane.direction, link: lane.link, channel: .bigData)
        switch event {
        case .frame(let frame):
            let explanation = Explanation(of: frame, direction: lane.direction)
            if explanation.status != .decoded { foundFault = true }
            printer.print(line, place, frame.bytes, explanation, reply: nil, &console)
        case .uart(let frame):
            let explanation = Explanation(of: frame, direction: lane.direction)
            if explanation.status != .decoded { foundFault = true }
            printer.print(line, place, Array(frame.bytes), explanation, reply: nil, &console)
        case .fault(let fault):
            foundFault = true
            printer.print(line, place, fault, &console)
        }
    }

    private static func isBefore(_ one: Lane, _ other: Lane) -> Bool {
        let names = (one.link?.text ?? "", other.link?.text ?? "")
        return names.0 == names.1 ? one.direction == .toDevice : names.0 < names.1
    }

    // MARK: Replies

    /// What the long reply says that a frame completes.
    private mutating func completed(_ packet: CapturePacket) -> String? {
        guard let frame = try? Frame(decoding: packet.bytes),
            let joiner = CommandCatalog.entry(opcode: frame.opcode)?.joiner
        else { return nil }
        let run = Run(link: packet.link, opcode: frame.opcode)
        guard packet.direction == .fromDevice else {
            replies[run] = nil
            return nil
        }
        if replies.count >= Self.mostLanes, replies[run] == nil { replies = [:] }
        var frames = replies.removeValue(forKey: run) ?? []
        frames.append(frame)
        let (answer, used, faults) = joiner.join(frames[...])
        guard let value = answer?.value, used == frames.count, faults.isEmpty else {
            if frames.count < Self.mostFrames { replies[run] = frames }
            return nil
        }
        return value.reading
    }
}
