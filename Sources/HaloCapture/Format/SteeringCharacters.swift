import HaloProtocol

extension Unicode.Scalar {
    /// Whether it can change how a terminal shows what stands around it: control characters, those
    /// that turn the direction of writing or cannot be seen, and ends of lines.
    package var isSteering: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension CaptureText {
    /// The words of a device or a person, as they may stand in a comment: whoever looks at a file
    /// in a terminal is to see them, and nothing else. Characters that steer one are escaped, with
    /// all others that are not plain.
    package static func harmless(_ text: String) -> String {
        text.unicodeScalars.contains { $0.isSteering }
            ? PrintableText.escaped(text.utf8) : text
    }
}
