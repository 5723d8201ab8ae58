import HaloDevices

/// The colours of text on a terminal, or none.
struct TerminalStyle {
    let isOn: Bool

    func strong(_ text: String) -> String { wrapped(text, "1") }
    func bytes(_ text: String) -> String { wrapped(text, "36") }
    func faint(_ text: String) -> String { wrapped(text, "2") }
    func bad(_ text: String) -> String { wrapped(text, "31") }
    func good(_ text: String) -> String { wrapped(text, "32") }
    func doubtful(_ text: String) -> String { wrapped(text, "33") }

    func heart(_ text: String) -> String { wrapped(text, "31") }
    func steps(_ text: String) -> String { wrapped(text, "32") }

    func heartRate(_ text: String, _ beatsPerMinute: Int) -> String {
        guard isOn, text != "" else { return text }
        return TextStyle.heartRate(Double(beatsPerMinute)).escapeSequence + text + TextStyle.reset
    }

    func sleep(_ text: String, _ stage: SleepRecord.Stage) -> String {
        switch stage {
        case .awake: wrapped(text, "33")
        case .rem: wrapped(text, "35")
        case .light: wrapped(text, "36")
        case .deep: wrapped(text, "34")
        case .unclassified: text
        }
    }

    func bytes(_ text: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
        wrap(&text, "36", append)
    }

    func faint(_ text: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
        wrap(&text, "2", append)
    }

    private func wrap(
        _ text: inout [UInt8], _ code: StaticString, _ append: (inout [UInt8]) -> Void
    ) {
        guard isOn else { return append(&text) }
        text.append(contentsOf: "\u{1B}[\(code)m".utf8)
        append(&text)
        text.append(contentsOf: "\u{1B}[0m".utf8)
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && text != "" ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    static func heartRate(_ beatsPerMinute: Double) -> TextStyle {
        switch beatsPerMinute {
        case ..<65: .blue
        case ..<90: .cyan
        case ..<120: .yellow
        default: .red
        }
    }
}
