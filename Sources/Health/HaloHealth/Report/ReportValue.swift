/// A value in large digits, with its units in small words: `7 h 12 min a night`.
struct ReportValue {
    private(set) var parts: [(text: String, isNumber: Bool)] = []

    init() {}

    init(_ number: String, _ words: String) { parts = [(number, true), (words, false)] }

    /// A duration as `7 h 12 min`.
    init(minutes: Int) {
        parts = [
            ("\(minutes / 60)", true), ("h", false), ("\(minutes % 60)", true), ("min", false),
        ]
    }

    var isEmpty: Bool { parts.isEmpty }

    func adding(_ words: String) -> ReportValue {
        var value = self
        value.parts.append((words, false))
        return value
    }

    var html: HTMLText {
        parts.enumerated().map { index, part -> HTMLText in
            guard part.isNumber else { return "<small>\(part.text)</small>" }
            return index > 0 ? " <b>\(part.text)</b>" : "<b>\(part.text)</b>"
        }.joined()
    }
}
