import HaloCapture
import HaloProtocol

struct CapturePrinter {
    let path: FilePath

    private static let timeWidth = 13
    /// The indentation of a packet's fields: they begin below the channel.
    private static let indentation = String(repeating: " ", count: timeWidth + 4)
    private static let bytesPerRow = 16

    func print(_ explainer: inout CaptureExplainer, to console: inout Console) {
        while let part = explainer.next() { print(part, &console) }
    }

    private func print(_ part: ExplainedPart, _ console: inout Console) {
        switch part.content {
        case .packet(let packet): print(packet, part.line, &console)
        case .piece(let packet):
            if console.isJSON { return }
            let text = "\(packet.bytes.count) bytes of a frame that continues"
            let head = Self.head(
                packet.direction, packet.link, packet.channel, packet.action?.rawValue)
            printHeading(part.line, head, console.style.faint(text), &console)
        case .event(let event, let link): print(event, link, part.line, &console)
        case .comment(let comment):
            if console.isJSON { return }
            console.write(console.style.faint("# \(comment.text.printable)") + "\n")
        }
    }

    private func print(_ packet: ExplainedPacket, _ line: TimedLine, _ console: inout Console) {
        if console.isJSON { return write(packet, line, &console) }
        let head = Self.head(
            packet.packet.direction, packet.packet.link, packet.packet.channel, packet.action(line))
        let style = console.style
        switch packet.meaning {
        case .explained(let explanation):
            printHeading(line, head, style.strong(explanation.heading.printable), &console)
            ExplanationPrinter.printRows(
                explanation, indentation: Self.indentation.utf8.count, to: &console)
        case .unknownChannel:
            printHeading(line, head, style.strong(packet.undescribed), &console)
            for start in stride(from: 0, to: packet.packet.bytes.count, by: Self.bytesPerRow) {
                let row = packet.packet.bytes[start...].prefix(Self.bytesPerRow)
                let text = style.bytes(HexText.bytes(row, separator: " "))
                console.write("\(Self.indentation)\(text)\n")
            }
        case .fault(let fault):
            printHeading(line, head, style.bad("error: \(fault.description)"), &console)
        }
        if let reply = packet.reply {
            console.write("\(Self.indentation)= \(reply.printable)\n")
        }
    }

    private func print(
        _ event: CaptureEvent, _ link: CaptureName?, _ line: TimedLine, _ console: inout Console
    ) {
        let style = console.style
        let text = style.faint((link.map { "\($0)/" } ?? "") + "\(event)")
        console.write(
            type: "event", members(line, link) + ["event": "\(event)"],
            or: "\(style.faint(Self.time(line)))  * \(text)\n")
    }

    private func printHeading(
        _ line: TimedLine, _ head: String, _ text: String, _ console: inout Console
    ) {
        console.write("\(console.style.faint(Self.time(line)))  \(head)  \(text)\n")
    }

    private static func head(
        _ direction: Direction, _ link: CaptureName?, _ channel: CaptureChannel, _ action: String?
    ) -> String {
        let name = (link.map { "\($0)/" } ?? "") + channel.words
        return "\(direction.arrow) \(name)" + (action.map { " \($0)" } ?? "")
    }

    private func write(_ packet: ExplainedPacket, _ line: TimedLine, _ console: inout Console) {
        let members =
            members(line, packet.packet.link) + [
                "channel": packet.packet.channel.words, "direction": packet.packet.direction.word,
                "action": packet.action(line), "reply": packet.reply,
                "input": HexText.bytes(packet.packet.bytes),
            ]
        console.write(type: "packet", members + ExplanationPrinter.members(packet.inputMeaning))
    }

    private func members(_ line: TimedLine, _ link: CaptureName?) -> JSONObject {
        [
            "file": path.text, "line": line.number, "microseconds": line.moment.microseconds,
            "link": link?.text,
        ]
    }

    /// The time in seconds; the decimal points of all lines are in one column.
    private static func time(_ line: TimedLine) -> String {
        String(line.moment.description.dropLast(2)).rightAligned(toColumns: timeWidth)
    }
}

extension ExplainedPacket {
    /// The operation that the packet belongs to, if its line names one.
    fileprivate func action(_ line: TimedLine) -> String? {
        guard let packet = line.line.packet, packet.direction == self.packet.direction else {
            return nil
        }
        return packet.action?.rawValue
    }
}
