import HaloHealth

/// A chart of the values, one of the intervals between beats, and a line on the device's state.
struct LivePicture {
    private let kind: LiveKind
    private let device: String
    private var values: LiveChart
    private var beats: LiveChart
    private var state = Self.warmingUp
    private var details: String?
    /// The time of the first value, in seconds, if it is known.
    private var firstValue: Double?
    private let doubt: String?
    private let keys: String
    private(set) var valueCount = 0
    private(set) var losses = LinkLosses()
    private var least = Double.infinity
    private var most = -Double.infinity
    private var sum = 0.0

    private static let windowSeconds = 60.0
    private static let rowsForBeats = 17
    private static let warmingUp = StyledText(LiveReading.Content.warmingUp.words ?? "", .yellow)
    private static let measuring = StyledText("measuring", .green)

    /// - Parameters:
    ///   - warmUp: The time that the device needs for the first value, if it is known.
    ///   - doubt: The reason to doubt that the device measures this, shown until it does, in place
    ///     of a countdown to a value that may not come.
    ///   - keys: The keys that end the measurement.
    init(
        _ kind: LiveKind, of device: String, warmUp: Duration? = nil, doubt: String? = nil,
        keys: String = "Ctrl-C"
    ) {
        self.kind = kind
        self.device = device
        firstValue = doubt == nil ? warmUp.map { $0 / .seconds(1) } : nil
        self.doubt = doubt
        self.keys = keys
        values = LiveChart(kind.quantity, windowSeconds: Self.windowSeconds, longestJoin: 10)
        beats = LiveChart(
            LiveChart.Quantity(
                title: "beat interval", unit: "ms", minimumSpan: 200, lowerBound: 0),
            windowSeconds: Self.windowSeconds, longestJoin: 10)
    }

    /// Adds a report that arrived at a time, in seconds.
    mutating func receive(_ reading: LiveReading, at time: Double) {
        losses.receive(reading.content, at: time)
        for beat in reading.beats { beats.append(beat, at: time) }
        switch reading.content {
        case .warmingUp:
            // Reports without a value come in the middle of a measurement, too.
            if state != Self.measuring { state = Self.warmingUp }
            if let missing = reading.missing { firstValue = time + missing / .seconds(1) }
        case .value(let value, let words):
            values.append(value, at: time)
            details = words
            state = Self.measuring
            firstValue = nil
            valueCount += 1
            (least, most, sum) = (min(least, value), max(most, value), sum + value)
        case .notWorn:
            values.breakLine()
            beats.breakLine()
            // When the device begins anew is not known.
            firstValue = nil
            state = StyledText(reading.content.words ?? "", .yellow)
        case .linkLost:
            values.breakLine()
            beats.breakLine()
            state = StyledText(reading.content.words ?? "", .red)
        case .other, .missed: details = reading.content.words
        }
    }

    /// - Parameter role: What else the device is used for, in words.
    mutating func lines(
        at time: Double, also role: String? = nil, _ size: TerminalSize, _ glyphs: GlyphSet
    ) -> [StyledText] {
        values.advance(to: time)
        beats.advance(to: time)
        let hasBeats = beats.visibleRange != nil && size.rows >= Self.rowsForBeats
        let rows = max(size.rows - 2, 1)
        let beatRows = hasBeats ? rows / 3 : 0
        // Before the first value there is no scale.
        var lines = values.lines(
            columns: size.columns, rows: valueCount == 0 ? 1 : rows - beatRows, glyphs: glyphs,
            style: kind.style)
        if valueCount == 0, let doubt {
            lines += TextLayout.wrapped(doubt, width: size.columns)
                .map { StyledText($0, .yellow) }.prefix(max(rows - beatRows - lines.count, 0))
        }
        while lines.count < rows - beatRows { lines.append(StyledText()) }
        if hasBeats {
            lines += beats.lines(
                columns: size.columns, rows: beatRows, glyphs: glyphs, style: { _ in .magenta })
        }
        while lines.count < rows { lines.append(StyledText()) }
        return lines + [stateLine(at: time, role), StyledText("\(keys) to quit", .faint)]
    }

    private func stateLine(at time: Double, _ role: String?) -> StyledText {
        var line = StyledText(device, .strong) + StyledText("  ") + state
        if state == Self.warmingUp, let words = countdown(at: time) {
            line += StyledText(", \(words)", .yellow)
        }
        if let details { line += StyledText("  \(details)") }
        if let role { line += StyledText("  \(role)") }
        return line
    }

    /// The time until the first value in words; `nil` if it is not known, or over.
    private func countdown(at time: Double) -> String? {
        guard let firstValue else { return nil }
        let seconds = Int((firstValue - time).rounded(.up))
        return seconds > 0 ? "first value in about \(seconds) s" : nil
    }

    var summary: String {
        guard valueCount > 0 else { return "no value of \(kind.quantity.title)" }
        func text(_ value: Double) -> String {
            ChartNumber.text(value, decimals: kind.quantity.decimals) ?? "?"
        }
        let unit = kind.quantity.unit == "" ? "" : " \(kind.quantity.unit)"
        let mean = text(sum / Double(valueCount))
        return "\(kind.quantity.title): \(TextLayout.count(valueCount, "value")), "
            + "\(text(least)) to \(text(most))\(unit), mean \(mean)\(unit)"
    }
}
