import HaloCapture
import HaloProtocol

/// Decodes the lines of a capture one after another, joins packets that came in pieces, and
/// prints all of them.
struct CaptureDecoder {
    /// One direction of one connection.
    private struct Stream: Hashable {
        let link: CaptureName?
        let direction: Direction
    }

    /// The replies to one command on one connection.
    private struct Command: Hashable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private let printer: CapturePrinter
    private var records: [Stream: BigDataReassembler] = [:]
    private var replies: [Command: [Frame]] = [:]
    private var last: TimedLine?

    /// `true` once a packet could not be decoded.
    private(set) var foundFault = false

    /// The most streams, and the most commands, that are kept apart. When there are more, all
    /// are forgotten: a real capture has few connections.
    private static let mostStreams = 64
    /// The most frames of a reply; the longest known one has far fewer.
    private static let mostFrames = 512

    init(_ path: FilePath, isJSON: Bool) {
        printer = CapturePrinter(path: path, isJSON: isJSON)
    }

    /// Decodes and prints a line.
    mutating func decode(_ line: TimedLine, _ console: inout Console) {
        last = line
        switch line.line {
        case .packet(let packet) where packet.channel == .bigData:
            decodePiece(packet, line, &console)
        case .packet(let packet):
            let explanation = packet.channel.packetKind.map {
                Explanation(of: packet.bytes, as: $0, direction: packet.direction)
            }
            let reply = packet.channel == .uart ? completedReply(packet) : nil
            printPacket(
                line, CapturePrinter.Channel(packet), packet.bytes, explanation, reply: reply,
                &console)
        case .event(let event, let link):
            if case .disconnected = event { abandon(link, line, &console) }
            printer.print(line, event, link, &console)
        case .comment(let text): printer.print(text, &console)
        case .version, .blank, .name, .elapsed, .reading, .error: break
        }
    }

    /// Prints an error for each packet that is still incomplete at the end.
    mutating func finish(_ console: inout Console) {
        guard let last else { return }
        let streams = records.keys.sorted { one, other in
            let (name, otherName) = (one.link?.text ?? "", other.link?.text ?? "")
            return name == otherName ? one.direction == .toDevice : name < otherName
        }
        for stream in streams { abandon(stream, last, &console) }
    }

    private mutating func printPacket(
        _ line: TimedLine, _ channel: CapturePrinter.Channel, _ bytes: [UInt8],
        _ explanation: Explanation?, reply: String? = nil, _ console: inout Console
    ) {
        if explanation?.status != .decoded { foundFault = true }
        printer.print(line, channel, bytes, explanation, reply: reply, &console)
    }

    // MARK: Records

    private mutating func decodePiece(
        _ packet: CapturePacket, _ line: TimedLine, _ console: inout Console
    ) {
        let stream = Stream(link: packet.link, direction: packet.direction)
        if records.count >= Self.mostStreams, records[stream] == nil { records = [:] }
        records[stream, default: BigDataReassembler()].receive(packet.bytes)
        var isComplete = false
        while let event = records[stream]?.nextEvent() {
            isComplete = true
            printEvent(event, stream, line, &console)
        }
        if !isComplete { printer.printPiece(line, packet, &console) }
    }

    private mutating func abandon(
        _ link: CaptureName?, _ line: TimedLine, _ console: inout Console
    ) {
        for direction in Direction.allCases {
            abandon(Stream(link: link, direction: direction), line, &console)
        }
        replies = replies.filter { $0.key.link != link }
    }

    private mutating func abandon(
        _ stream: Stream, _ line: TimedLine, _ console: inout Console
    ) {
        guard var reassembler = records.removeValue(forKey: stream) else { return }
        reassembler.abandon()
        while let event = reassembler.nextEvent() { printEvent(event, stream, line, &console) }
    }

    private mutating func printEvent(
        _ event: BigDataReassembler.Event, _ stream: Stream, _ line: TimedLine,
        _ console: inout Console
    ) {
        let channel = CapturePrinter.Channel(
            direction: stream.direction, link: stream.link, channel: .bigData)
        switch event {
        case .frame(let frame):
            let explanation = Explanation(of: frame, direction: stream.direction)
            printPacket(line, channel, frame.bytes, explanation, &console)
        case .uart(let frame):
            let explanation = Explanation(of: frame, direction: stream.direction)
            printPacket(line, channel, Array(frame.bytes), explanation, &console)
        case .fault(let fault):
            foundFault = true
            printer.print(line, channel, fault, &console)
        }
    }

    // MARK: Replies

    /// The reading of the reply that a frame completes, if it has many frames.
    private mutating func completedReply(_ packet: CapturePacket) -> String? {
        guard let frame = try? Frame(decoding: packet.bytes),
            let joiner = CommandCatalog.entry(opcode: frame.opcode)?.joiner
        else { return nil }
        let command = Command(link: packet.link, opcode: frame.opcode)
        guard packet.direction == .fromDevice else {
            replies[command] = nil
            return nil
        }
        if replies.count >= Self.mostStreams, replies[command] == nil { replies = [:] }
        var frames = replies.removeValue(forKey: command) ?? []
        frames.append(frame)
        let (answer, used, faults) = joiner.join(frames[...])
        guard let value = answer?.value, used == frames.count, faults.isEmpty else {
            if frames.count < Self.mostFrames { replies[command] = frames }
            return nil
        }
        return value.reading
    }
}

/// Prints the packets and events of a capture, as a table or as lines of JSON.
private struct CapturePrinter {
    /// The connection, the channel and the direction of a value.
    struct Channel {
        let direction: Direction
        let link: CaptureName?
        let channel: CaptureChannel

        /// The operation that a value belongs to, if the line with its end names one.
        func action(_ line: TimedLine) -> String? {
            guard let packet = line.line.packet, packet.direction == direction else { return nil }
            return packet.action?.rawValue
        }

        /// What stands in place of an explanation.
        var undescribed: String {
            if case .descriptor = channel { "descriptor" } else { "unknown characteristic" }
        }
    }

    let path: FilePath
    let isJSON: Bool

    private static let timeWidth = 13
    /// The indentation of a packet's fields: they begin below the channel.
    private static let indentation = String(repeating: " ", count: timeWidth + 4)
    private static let bytesPerRow = 16
    /// Prints a packet, whose last piece is on the line; without an explanation its channel is
    /// unknown.
    func print(
        _ line: TimedLine, _ channel: Channel, _ bytes: [UInt8], _ explanation: Explanation?,
        reply: String?, _ console: inout Console
    ) {
        if isJSON {
            let result =
                explanation.map { .success($0) }
                ?? Result<_, UnreadableInput>.failure(UnreadableInput(reason: channel.undescribed))
            let action: JSONValue.Members = [("action", .text(channel.action(line)))]
            write(line, channel, action, reply, bytes, result, &console)
            return
        }
        let style = console.style
        let title = explanation?.heading ?? channel.undescribed
        printHeading(line, channel, style.strong(title.printable), &console)
        if let explanation {
            ExplanationPrinter.printRows(
                explanation, indentation: Self.indentation, to: &console)
        } else {
            for start in stride(from: 0, to: bytes.count, by: Self.bytesPerRow) {
                let row = bytes[start...].prefix(Self.bytesPerRow)
                let text = style.bytes(HexText.bytes(row, separator: " "))
                console.write("\(Self.indentation)\(text)\n")
            }
        }
        if let reply { console.write("\(Self.indentation)= \(reply.printable)\n") }
    }

    /// Prints a piece of a packet that is not complete yet.
    func printPiece(_ line: TimedLine, _ packet: CapturePacket, _ console: inout Console) {
        if isJSON { return }
        let text = "\(packet.bytes.count) bytes of a frame that continues"
        printHeading(line, Channel(packet), console.style.faint(text), &console)
    }

    /// Prints bytes that are not a frame.
    func print(
        _ line: TimedLine, _ channel: Channel, _ fault: BigDataFault, _ console: inout Console
    ) {
        if isJSON {
            let error = UnreadableInput(reason: fault.description)
            write(line, channel, [], nil, fault.bytes, .failure(error), &console)
            return
        }
        let text = console.style.bad("error: \(fault.description)")
        printHeading(line, channel, text, &console)
    }

    /// Prints an event of a connection.
    func print(
        _ line: TimedLine, _ event: CaptureEvent, _ link: CaptureName?, _ console: inout Console
    ) {
        if isJSON {
            console.write(type: "event", members(line, link) + [("event", .string("\(event)"))])
            return
        }
        let style = console.style
        let text = style.faint((link.map { "\($0)/" } ?? "") + "\(event)")
        console.write("\(style.faint(Self.time(line)))  * \(text)\n")
    }

    /// Prints a comment.
    func print(_ comment: CaptureText, _ console: inout Console) {
        if isJSON { return }
        console.write(console.style.faint("# \(comment.text.printable)") + "\n")
    }

    private func printHeading(
        _ line: TimedLine, _ channel: Channel, _ text: String, _ console: inout Console
    ) {
        let name = (channel.link.map { "\($0)/" } ?? "") + channel.channel.words
        let action = channel.action(line).map { " \($0)" } ?? ""
        let time = console.style.faint(Self.time(line))
        console.write("\(time)  \(channel.direction.arrow) \(name)\(action)  \(text)\n")
    }

    private func write(
        _ line: TimedLine, _ channel: Channel, _ action: JSONValue.Members, _ reply: String?,
        _ bytes: [UInt8], _ result: Result<Explanation, UnreadableInput>,
        _ console: inout Console
    ) {
        var members = members(line, channel.link)
        members += [
            ("channel", .string(channel.channel.words)),
            ("direction", .string(channel.direction.word)),
        ]
        members += action
        members += [("reply", .text(reply)), ("input", .string(HexText.bytes(bytes)))]
        console.write(type: "packet", members + ExplanationPrinter.members(result))
    }

    private func members(_ line: TimedLine, _ link: CaptureName?) -> JSONValue.Members {
        [
            ("file", .string(path.text)), ("line", .number(line.number)),
            ("microseconds", .number(line.moment.microseconds)), ("link", .text(link?.text)),
        ]
    }

    /// The time in seconds; the decimal points of all lines are in one column.
    private static func time(_ line: TimedLine) -> String {
        String(line.moment.description.dropLast(2)).rightAligned(timeWidth)
    }
}

extension CapturePrinter.Channel {
    /// The channel of a packet.
    fileprivate init(_ packet: CapturePacket) {
        self.init(direction: packet.direction, link: packet.link, channel: packet.channel)
    }
}
