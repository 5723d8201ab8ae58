import HaloCapture
import HaloProtocol

/// The comments at the beginning of an imported capture: its source, and its uncertainties.
enum CaptureHead {
    /// The lines for a conversation that begins at a time of the file.
    static func lines(
        _ report: TrafficReport, _ plan: ConversationPlan, at microseconds: Int64
    ) -> [CaptureLine] {
        var lines = [CaptureLine.version]
        func comment(_ text: String) { lines.append(.comment(CaptureText(text))) }
        comment("source: imported from \(report.format?.name ?? "traffic")")
        for link in plan.links {
            let suffix = CaptureText.ending(link.name)
            if let address = link.address {
                comment("address: \(address)\(address.isRandom ? " (random)" : "")\(suffix)")
            }
            if let name = link.deviceName {
                let text = name.text.map(CaptureText.harmless) ?? PrintableText.escaped(name.bytes)
                comment("name: \(text)\(suffix)")
            }
        }
        if let clock = TrafficReport.clock(microseconds) { comment("clock: \(clock) +00:00") }
        for link in plan.links {
            let suffix = CaptureText.ending(link.name)
            for guess in link.guesses { comment("guessed: \(guess.guess)\(suffix)") }
        }
        return lines
    }
}
