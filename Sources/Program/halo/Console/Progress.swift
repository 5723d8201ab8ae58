/// The progress of long work, on standard error: what is being done, how far it is, and how long
/// it takes.
///
/// On a terminal the line changes in place; elsewhere there is a line every few seconds. Short work
/// shows nothing.
struct Progress: Sendable {
    enum Place: Sendable {
        case terminal(columns: Int)
        case file
        case nowhere
    }

    private let title: String
    private let place: Place
    private let begun = ContinuousClock.now
    /// The time of work after which the next line is due.
    private var due: Duration
    private var isShown = false

    /// The time of work from which a rest can be told, and the fraction.
    private static let leastForRest = (time: Duration.seconds(2), fraction: 0.02)

    init(_ title: String, on place: Place) {
        self.title = title
        self.place = place
        due = place.patience
    }

    mutating func show(_ fraction: Double? = nil, _ details: String? = nil) {
        guard let line = line(fraction, details, after: .now - begun) else { return }
        isShown = true
        Console.draw(line)
    }

    func end() {
        if isShown, case .terminal = place { Console.draw("\r\u{1B}[K") }
    }

    /// Returns what is written after a time of work, or `nil` if no line is due.
    mutating func line(
        _ fraction: Double?, _ details: String?, after elapsed: Duration
    ) -> String? {
        guard elapsed >= due, let interval = place.interval else { return nil }
        due = elapsed + interval
        let fraction = fraction.flatMap { $0.isFinite ? $0 : nil }
        var parts = [String]()
        if let fraction { parts.append("\(Int(min(max(fraction, 0), 1) * 100)) %") }
        parts.append(elapsed.roughWords)
        if let rest = Self.rest(fraction, elapsed) { parts.append("\(rest.roughWords) left") }
        // The last, because they are the longest: a narrow terminal cuts the end.
        if let details { parts.append(details) }
        let text = "\(title): \(parts.joined(separator: ", "))".printable
        switch place {
        case .terminal(let columns):
            // With room for the ^C that a terminal adds: on the next line it could not be erased.
            return "\r\u{1B}[K" + text.truncated(toColumns: max(columns - 3, 1))
        case .file: return "halo: \(text)\n"
        case .nowhere: return nil
        }
    }

    private static func rest(_ fraction: Double?, _ elapsed: Duration) -> Duration? {
        guard let fraction, fraction < 1, fraction >= leastForRest.fraction,
            elapsed >= leastForRest.time
        else { return nil }
        return elapsed * ((1 - fraction) / fraction)
    }
}

extension Progress.Place {
    /// Standard error, as it is.
    init(isQuiet: Bool) {
        if isQuiet {
            self = .nowhere
        } else if TerminalEnvironment.understandsSequences(TerminalEnvironment.error) {
            let size = TerminalSize.current(descriptor: TerminalEnvironment.error)
            self = .terminal(columns: size.columns)
        } else {
            self = .file
        }
    }

    /// The time of work without a line.
    fileprivate var patience: Duration {
        if case .terminal = self { .milliseconds(500) } else { .seconds(5) }
    }

    fileprivate var interval: Duration? {
        switch self {
        case .terminal: .milliseconds(100)
        case .file: .seconds(5)
        case .nowhere: nil
        }
    }
}

extension Duration {
    /// Milliseconds, seconds, minutes or hours in words, whole ones: `500 ms`, `20 s`, `10 min`.
    var words: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        if milliseconds > 0 { return "\(seconds * 1_000 + milliseconds) ms" }
        if seconds % 3600 == 0, seconds > 0 { return "\(seconds / 3600) h" }
        if seconds % 60 == 0, seconds > 0 { return "\(seconds / 60) min" }
        return "\(seconds) s"
    }

    /// About the duration in words: seconds up to two minutes, then minutes.
    var roughWords: String {
        let seconds = min(components.seconds, 3_600_000)
        return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
    }
}

/// Shows progress while a function waits for something that does not report any.
///
/// - Parameter limit: The time after which the function gives up; `nil` if it is not known.
nonisolated(nonsending) func waiting<Value, Failure: Error>(
    _ title: String, limit: Duration? = nil, on place: Progress.Place,
    _ body: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let showing = Task {
        var progress = Progress(title, on: place)
        defer { progress.end() }
        while !Task.isCancelled {
            progress.show(nil, limit.map { "at most \($0.words)" })
            try? await Task.sleep(for: .milliseconds(500))
        }
    }
    let result = await Result.catching(body)
    showing.cancel()
    await showing.value
    return try result.get()
}
