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

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
