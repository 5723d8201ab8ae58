import HaloCapture
import HaloProtocol
import HaloSimulator

/// Prints what a replay has found.
struct ReplayPrinter {
    let isJSON: Bool

    func print(_ check: CaptureCheck, to console: inout Console) {
        if isJSON {
            for finding in check.findings {
                console.write(JSONText.text(Self.object(finding)) + "\n")
            }
            console.write(JSONText.text(Self.object(check)) + "\n")
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        for finding in check.findings {
            let text = console.safe("\(Self.time(finding.moment)) \(finding)")
            let isWrong = finding.severity == .difference && finding.exception == nil
            console.write((isWrong ? style.bad(text) : text) + "\n")
            if isWrong, let packet = finding.packet { explain(packet, to: &console) }
        }
        if check.droppedCount > 0 {
            console.write("and \(check.droppedCount) more findings\n")
        }
        console.write(style.strong(check.summary) + "\n")
    }

    private func explain(_ packet: CaptureReading.WholePacket, to console: inout Console) {
        let explanation = Explanation(
            of: packet.bytes, as: packet.channel.packetKind, direction: packet.direction)
        var printer = ExplanationPrinter(isJSON: false)
        printer.print("", .success(explanation), to: &console)
    }

    func print(
        _ comparison: ReplayComparison, _ profile: RingProfile, to console: inout Console
    ) {
        guard isJSON else {
            let text = "against a virtual \(profile): \(comparison)"
            for line in text.split(separator: "\n") {
                console.write(console.safe(String(line)) + "\n")
            }
            return
        }
        for exchange in comparison.differences {
            console.write(JSONText.text(Self.object(exchange)) + "\n")
        }
        console.write(JSONText.text(Self.object(comparison, profile)) + "\n")
    }

    /// Seconds, with as many digits as a capture can have.
    private static func time(_ moment: Moment) -> String {
        let digits = String(moment.microseconds % 1_000_000)
        let padding = String(repeating: "0", count: max(6 - digits.count, 0))
        return "+\(moment.microseconds / 1_000_000).\(padding)\(digits)s"
    }

    // MARK: JSON

    private static func object(_ finding: CaptureFinding) -> JSONText.Value {
        .object([
            ("type", .string("finding")), ("line", number(finding.line)),
            ("microseconds", number(finding.moment.microseconds)),
            ("severity", .string(finding.severity == .note ? "note" : "difference")),
            ("kind", .string(finding.kind.name)), ("text", .string(finding.text)),
            ("bytes", finding.packet.map { .string(HexText.bytes($0.bytes)) } ?? .null),
            ("exception", finding.exception.map { .string($0) } ?? .null),
        ])
    }

    private static func object(_ check: CaptureCheck) -> JSONText.Value {
        let counts = check.counts
        return .object([
            ("type", .string("summary")), ("packets", number(counts.packets)),
            ("decoded", number(counts.decoded)), ("refused", number(counts.refused)),
            ("unknown", number(counts.unknown)), ("longReplies", number(counts.longReplies)),
            ("connections", number(counts.connections)), ("requests", number(counts.requests)),
            ("completed", number(counts.completed)), ("refusals", number(counts.refusals)),
            ("unanswered", number(counts.unanswered)),
            ("incomplete", number(counts.incomplete)), ("reports", number(counts.reports)),
            ("unsolicited", number(counts.unsolicited)),
            ("measurements", number(counts.measurements)), ("beats", .number(counts.beats)),
            ("differences", number(check.differenceCount)),
            ("declared", number(check.declaredCount)), ("notes", number(check.noteCount)),
        ])
    }

    private static func object(_ exchange: ReplayComparison.Exchange) -> JSONText.Value {
        .object([
            ("type", .string("exchange")), ("line", number(exchange.request.line)),
            ("request", .string("\(exchange.request)")),
            ("recorded", .array(exchange.recorded.map { .string("\($0)") })),
            ("heard", .array(exchange.heard.map { .string("\($0)") })),
        ])
    }

    private static func object(
        _ comparison: ReplayComparison, _ profile: RingProfile
    ) -> JSONText.Value {
        .object([
            ("type", .string("comparison")), ("against", .string(profile.model)),
            ("sent", number(comparison.exchanges.count)),
            ("skipped", .array(comparison.skipped.map { .string("\($0)") })),
            ("differences", number(comparison.differences.count)),
            ("interruption", comparison.interruption.map { .string("\($0)") } ?? .null),
        ])
    }

    private static func number(_ value: some BinaryInteger) -> JSONText.Value {
        .number(UInt64(clamping: value))
    }
}
