import HaloDevices

/// The colours of text on a terminal, or none.
struct TerminalStyle {
    /// `true` if texts get colours.
    let isOn: Bool

    /// A heading.
    func strong(_ text: String) -> String { wrapped(text, "1") }
    /// Bytes of a packet.
    func bytes(_ text: String) -> String { wrapped(text, "36") }
    /// Less important text.
    func faint(_ text: String) -> String { wrapped(text, "2") }
    /// An error.
    func bad(_ text: String) -> String { wrapped(text, "31") }
    /// A success.
    func good(_ text: String) -> String { wrapped(text, "32") }
    /// A warning.
    func doubtful(_ text: String) -> String { wrapped(text, "33") }

    /// A heart.
    func heart(_ text: String) -> String { wrapped(text, "31") }
    /// Steps.
    func steps(_ text: String) -> String { wrapped(text, "32") }

    /// Text about a heart rate.
    func heartRate(_ text: String, _ beatsPerMinute: Int) -> String {
        guard isOn, text != "" else { return text }
        return TextStyle.heartRate(Double(beatsPerMinute)).escapeSequence + text + TextStyle.reset
    }

    /// Text about a sleep stage: the deeper the sleep, the darker the colour.
    func sleep(_ text: String, _ stage: SleepRecord.Stage) -> String {
        switch stage {
        case .awake: wrapped(text, "33")
        case .rem: wrapped(text, "35")
        case .light: wrapped(text, "36")
        case .deep: wrapped(text, "34")
        case .unclassified: text
        }
    }

    /// Bytes of a packet, which a function appends.
    func bytes(_ text: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
        wrap(&text, "36", append)
    }

    /// Less important text, which a function appends.
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
    /// The colour of a heart rate: the higher it is, the warmer.
    static func heartRate(_ beatsPerMinute: Double) -> TextStyle {
        switch beatsPerMinute {
        case ..<65: .blue
        case ..<90: .cyan
        case ..<120: .yellow
        default: .red
        }
    }
}

extension String {
    /// The digits with fillers before them, up to a width.
    func rightAligned(_ width: Int, filler: Character = " ") -> String {
        String(repeating: filler, count: Swift.max(width - count, 0)) + self
    }
}
