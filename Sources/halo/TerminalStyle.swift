import HaloProtocol

/// Colours for a terminal, or none.
struct TerminalStyle {
    let isOn: Bool

    /// A heading.
    func strong(_ text: String) -> String { wrapped(text, "1") }
    /// Bytes of a packet.
    func bytes(_ text: String) -> String { wrapped(text, "36") }
    /// What matters less.
    func faint(_ text: String) -> String { wrapped(text, "2") }
    /// What went wrong.
    func bad(_ text: String) -> String { wrapped(text, "31") }
    /// What is as it should be.
    func good(_ text: String) -> String { wrapped(text, "32") }
    /// What may go wrong.
    func doubtful(_ text: String) -> String { wrapped(text, "33") }

    /// A heart.
    func heart(_ text: String) -> String { wrapped(text, "31") }
    /// Steps.
    func steps(_ text: String) -> String { wrapped(text, "32") }

    /// Heart rates around a value: the higher, the warmer.
    func heartRate(_ text: String, _ beatsPerMinute: Int) -> String {
        switch beatsPerMinute {
        case ..<65: wrapped(text, "34")
        case ..<90: wrapped(text, "36")
        case ..<120: wrapped(text, "33")
        default: wrapped(text, "31")
        }
    }

    /// A stage of sleep: the deeper, the darker.
    func sleep(_ text: String, _ stage: SleepStage) -> String {
        switch stage {
        case .awake: wrapped(text, "33")
        case .rem: wrapped(text, "35")
        case .light: wrapped(text, "36")
        case .deep: wrapped(text, "34")
        case .none, .error: text
        }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && text != "" ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
