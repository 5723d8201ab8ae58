extension Unicode.Scalar {
    /// Whether it can change how a terminal shows what stands around it: control characters, those
    /// that turn the direction of writing or cannot be seen, and ends of lines.
    var isSteering: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
