import HaloProtocol

/// A line of text with styles.
///
/// Nothing in it can control a terminal: such characters are replaced on the way in, line ends and
/// tabs as well. Text of a device or of a file can be shown as it is.
struct StyledText: Hashable, Sendable {
    struct Span: Hashable, Sendable {
        /// The text without characters that control a terminal.
        let text: String
        let style: TextStyle
        let columnCount: Int

        fileprivate init(_ text: String, _ style: TextStyle) {
            self.text = text
            self.style = style
            columnCount = text.columnCount
        }
    }

    /// The parts from left to right; none is empty, and neighbours differ in style.
    private(set) var spans: [Span] = []
    private(set) var columnCount = 0

    init() {}

    init(_ text: String, _ style: TextStyle = .plain) { append(text, style) }

    var text: String { spans.map(\.text).joined() }

    var isEmpty: Bool { spans.isEmpty }

    mutating func append(_ text: String, _ style: TextStyle = .plain) {
        append(safe: text.printable, style)
    }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        var result = left
        result += right
        return result
    }

    static func += (left: inout StyledText, right: StyledText) {
        for span in right.spans { left.append(safe: span.text, span.style) }
    }

    /// Adds text that holds no character that controls a terminal.
    private mutating func append(safe text: String, _ style: TextStyle) {
        guard text != "" else { return }
        guard let last = spans.last, last.style == style else {
            let span = Span(text, style)
            columnCount += span.columnCount
            return spans.append(span)
        }
        // Counted anew: the first scalar may combine with the last one, as the colour of a hand.
        let span = Span(last.text + text, style)
        columnCount += span.columnCount - last.columnCount
        spans[spans.count - 1] = span
    }

    /// Returns the text, or as much of its beginning as fits into a number of columns together
    /// with an ellipsis in the style of the first part that is cut.
    func truncated(toColumns columns: Int, glyphs: GlyphSet = .braille) -> StyledText {
        if columnCount <= columns { return self }
        let ellipsis = glyphs.ellipsis.prefix(columns: columns)
        var room = columns - ellipsis.columnCount
        var result = StyledText()
        for span in spans {
            guard span.columnCount <= room else {
                result.append(safe: span.text.prefix(columns: room) + ellipsis, span.style)
                break
            }
            result.append(safe: span.text, span.style)
            room -= span.columnCount
        }
        return result
    }

    func padded(toColumns columns: Int) -> StyledText { self + gap(toColumns: columns) }

    func rightAligned(toColumns columns: Int) -> StyledText { gap(toColumns: columns) + self }

    private func gap(toColumns columns: Int) -> StyledText {
        StyledText("".padded(toColumns: max(columns, columnCount) - columnCount))
    }

    func plain(_ glyphs: GlyphSet) -> StyledText {
        if glyphs == .braille { return self }
        var result = StyledText()
        for span in spans { result.append(safe: glyphs.plain(span.text), span.style) }
        return result
    }

    /// Returns the text for a terminal. A part with a style stands between the escape sequence of
    /// the style and the one that ends it; without colours there are no escape sequences at all.
    func rendered(colours: Bool) -> String {
        var result = ""
        for span in spans {
            let begin = colours ? span.style.escapeSequence : ""
            result += begin
            result += span.text
            if begin != "" { result += TextStyle.reset }
        }
        return result
    }
}

extension String {
    /// The text with U+FFFD in place of each scalar that controls a terminal, is invisible, or
    /// changes the direction of writing.
    var printable: String {
        // Most text, and each picture, has none.
        simpleCount == nil ? PrintableText.printable(self) : self
    }
}
