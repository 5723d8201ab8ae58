import HaloProtocol

struct DeviceLight: Hashable, Sendable {
    let colour: LEDColour
    /// The light in words: `#FF8000`, or `off`.
    let words: String
}

extension LEDColour {
    /// The bar of a light: it has its colour, or else its length is the brightness.
    func bar(columns: Int, colours: Bool) -> StyledText {
        let lit = String(repeating: "█", count: colours ? columns : lit(of: columns))
        return StyledText(lit, .light(red: red, green: green, blue: blue))
            .padded(toColumns: columns)
    }

    /// The part of a length that shows the brightness, rounded.
    func lit(of length: Int) -> Int { (length * Int(max(red, green, blue)) + 127) / 255 }
}

/// The lights of simulated devices on the last line of a terminal, which changes in place.
struct LightLine {
    private let lights: @Sendable () -> [(name: String, light: DeviceLight)]
    private let colours: Bool
    private let glyphs: GlyphSet
    private var shown: (text: String, moment: ContinuousClock.Instant)?

    static let interval = Duration.milliseconds(50)
    /// The time after which the same line is written again: something else may have written to the
    /// terminal.
    private static let repetition = Duration.seconds(1)
    /// The columns of all bars.
    private static let mostColumns = 24

    static func isPossible(_ console: Console) -> Bool {
        !console.isQuiet && TerminalEnvironment.understandsSequences(TerminalEnvironment.error)
    }

    /// Creates the line of a function that returns the lights; `nil` if there are none.
    init?(
        _ console: Console, _ lights: @escaping @Sendable () -> [(name: String, light: DeviceLight)]
    ) {
        guard !lights().isEmpty else { return nil }
        self.lights = lights
        colours = console.errorHasColours
        glyphs = GlyphSet.supported(
            term: TerminalEnvironment.term, locale: TerminalEnvironment.locale)
    }

    mutating func draw() {
        guard TerminalMode.isForeground(descriptor: TerminalEnvironment.error) else { return }
        let columns = TerminalSize.current(descriptor: TerminalEnvironment.error).columns
        let text = line(columns: columns).plain(glyphs)
            .truncated(toColumns: max(columns - 1, 1), glyphs: glyphs).rendered(colours: colours)
        let now = ContinuousClock.now
        if let shown, shown.text == text, shown.moment + Self.repetition > now { return }
        shown = (text, now)
        Console.draw("\r\(text)\u{1B}[K")
    }

    mutating func erase() {
        guard shown != nil else { return }
        shown = nil
        // In the background the last line is the shell's.
        if TerminalMode.isForeground(descriptor: TerminalEnvironment.error) {
            Console.draw("\r\u{1B}[K")
        }
    }

    private func line(columns: Int) -> StyledText {
        let lights = lights()
        let barColumns = min(Self.mostColumns, columns / 3) / max(lights.count, 1)
        var line = StyledText()
        for (name, light) in lights {
            if !line.isEmpty { line.append("  ") }
            if lights.count > 1 { line.append("\(name) ", .strong) }
            line += light.colour.bar(columns: barColumns, colours: colours)
            line.append(" \(light.words)")
        }
        return line
    }
}
