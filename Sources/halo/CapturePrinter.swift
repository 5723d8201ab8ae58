import HaloCapture
import HaloProtocol

/// Prints what a conversation consists of, as a table or as lines of JSON.
struct CapturePrinter {
    /// Where a value went.
    struct Place {
        let direction: Direction
        let link: CaptureName?
        let channel: CaptureChannel

        /// The channel, with the connection before it.
        var name: String { (link.map { "\($0)/" } ?? "") + channel.words }

        /// What was done with a value of it that ends on a line, if that was noted.
        func action(_ line: TimedLine) -> String? {
            guard let packet = line.line.packet, packet.direction == direction else { return nil }
            return packet.action?.rawValue
        }
    }

    let path: String
    let isJSON: Bool

    private static let timeWidth = 13
    /// Below a heading, beginning where the channel does.
    private static let indentation = String(repeating: " ", count: timeWidth + 4)
    private static let bytesPerRow = 16

    /// Prints a packet; without an explanation, nobody knows its channel.
    func print(
        _ line: TimedLine, _ packet: CapturePacket, _ explanation: Explanation?, reply: String?,
        _ console: inout Console
    ) {
        let place = Place(
            direction: packet.direction, link: packet.link, channel: packet.channel)
        print(line, place, packet.bytes, explanation, reply: reply, &console)
    }

    /// Prints a packet that may have come in pieces, the last of them on the line.
    func print(
        _ line: TimedLine, _ place: Place, _ bytes: [UInt8], _ explanation: Explanation?,
        reply: String?, _ console: inout Console
    ) {
        if isJSON {
            let result: Result<Explanation, UnreadableInput> =
                explanation.map { .success($0) }
                ?? .failure(UnreadableInput("nobody has described this characteristic"))
            var members = Self.members(path, line, place)
            members.append(("action", place.action(line).map { .string($0) } ?? .null))
            members.append(("reply", reply.map { .string($0) } ?? .null))
            members.append(("input", .string(HexText.bytes(bytes))))
            write(members + ExplanationPrinter.members(result), &console)
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        let title = explanation?.heading ?? "nobody has described this characteristic"
        heading(line, place, style.strong(console.safe(title)), &console)
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
        if let reply { console.write("\(Self.indentation)= \(console.safe(reply))\n") }
    }

    /// Prints that a packet is a piece of one that is not whole yet.
    func printPiece(_ line: TimedLine, _ packet: CapturePacket, _ console: inout Console) {
        if isJSON { return }
        let style = TerminalStyle(isOn: console.usesColour)
        let place = Place(
            direction: packet.direction, link: packet.link, channel: packet.channel)
        let text = "\(packet.bytes.count) bytes of a frame that goes on"
        heading(line, place, style.faint(text), &console)
    }

    /// Prints what is no frame.
    func print(
        _ line: TimedLine, _ place: Place, _ fault: BigDataFault, _ console: inout Console
    ) {
        if isJSON {
            var members = Self.members(path, line, place)
            members.append(("reply", .null))
            members.append(("input", .string(HexText.bytes(fault.bytes))))
            let result: Result<Explanation, UnreadableInput> = .failure(
                UnreadableInput(fault.description))
            write(members + ExplanationPrinter.members(result), &console)
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        heading(line, place, style.bad("error: \(fault.description)"), &console)
    }

    /// Prints what happened on a connection.
    func print(
        _ line: TimedLine, _ event: CaptureEvent, _ link: CaptureName?, _ console: inout Console
    ) {
        if isJSON {
            write(
                Self.members(path, line, link) + [("event", .string(event.description))],
                &console)
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        let prefix = link.map { "\($0)/" } ?? ""
        let text = style.faint("\(prefix)\(event)")
        console.write("\(style.faint(Self.time(line)))  * \(text)\n")
    }

    /// Prints a remark.
    func print(_ comment: CaptureText, _ console: inout Console) {
        if isJSON { return }
        let style = TerminalStyle(isOn: console.usesColour)
        console.write(style.faint("# \(console.safe(comment.text))") + "\n")
    }

    /// Prints what stopped the reading.
    func complain(_ problem: String, _ console: inout Console) {
        if isJSON {
            write([("file", .string(path)), ("error", .string(problem))], &console)
        }
        console.complain("halo decode: \(console.safe(problem))")
    }

    private func heading(
        _ line: TimedLine, _ place: Place, _ text: String, _ console: inout Console
    ) {
        let style = TerminalStyle(isOn: console.usesColour)
        let sign = place.direction == .toDevice ? "→" : "←"
        let action = place.action(line).map { " \($0)" } ?? ""
        console.write(
            "\(style.faint(Self.time(line)))  \(sign) \(place.name)\(action)  \(text)\n")
    }

    private func write(
        _ members: [(key: String, value: JSONText.Value)], _ console: inout Console
    ) {
        console.write(JSONText.text(.object(members)) + "\n")
    }

    private static func members(
        _ path: String, _ line: TimedLine, _ place: Place
    ) -> [(key: String, value: JSONText.Value)] {
        members(path, line, place.link) + [
            ("channel", .string(place.channel.words)),
            ("direction", .string(place.direction == .toDevice ? "to" : "from")),
        ]
    }

    private static func members(
        _ path: String, _ line: TimedLine, _ link: CaptureName?
    ) -> [(key: String, value: JSONText.Value)] {
        [
            ("file", .string(path)), ("line", .number(UInt64(clamping: line.number))),
            ("microseconds", .number(UInt64(clamping: line.moment.microseconds))),
            ("link", link.map { .string($0.text) } ?? .null),
        ]
    }

    /// Seconds with their decimals below each other.
    private static func time(_ line: TimedLine) -> String {
        let text = line.moment.description.dropLast(2)
        return String(repeating: " ", count: max(0, timeWidth - text.count)) + text
    }
}
