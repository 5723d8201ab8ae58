import HaloProtocol

/// A parser of texts that change fields of a setting.
///
/// A text consists of words. Spaces and commas separate words; `=` is a word of its own:
///
///     text     change…
///     change   field = value | field value | value
///     field    the name of a field, or its word in descriptions
///     value    up to four words
///
/// Of the values that could begin at a word, the longest one is read: `10 min` before `10`. A value
/// without a field is of the only field that accepts it. Upper case is read as lower case. A field
/// has one value; the order of fields does not matter.
struct SettingTextParser<Edit> {
    typealias Row = (field: NamedRingSetting.Field, parse: (String) -> ParsedSetting<Edit>)

    private let setting: String
    private let rows: [Row]
    private var words: ArraySlice<String> = []
    /// The changes by the rows of their fields.
    private var edits: [Int: Edit] = [:]

    init(_ setting: String, _ rows: [Row]) {
        self.setting = setting
        self.rows = rows
    }

    /// Parses a text. Returns its changes in the order of fields.
    mutating func parse(_ text: String) throws(Failure) -> [Edit] {
        guard text.utf8.count <= NamedRingSetting.longestText else {
            throw error(
                "the text is too long; at most \(NamedRingSetting.longestText) bytes are read")
        }
        words = Self.words(in: text)[...]
        guard !words.isEmpty else { throw error("no change given; it takes \(accepted)") }
        while let word = words.first {
            let isName = words.dropFirst().first == Self.equals
            if let row = rows.firstIndex(where: { $0.field.isNamed(word.lowercased()) }) {
                words = words.dropFirst(isName ? 2 : 1)
                try checkHasValue(rows[row].field)
                try parseValue(of: row)
            } else if isName {
                throw error("there is no field \(Self.quoted(word)); it takes \(accepted)")
            } else {
                try parseValue(of: nil)
            }
        }
        return rows.indices.compactMap { edits[$0] }
    }

    private func checkHasValue(_ field: NamedRingSetting.Field) throws(Failure) {
        guard !field.isReadOnly else {
            throw error("\(field.name) is reported by the ring, and cannot be changed")
        }
        guard let word = words.first, word != Self.equals else {
            throw error("\(field.name) has no value; it takes \(field.accepts)")
        }
    }

    /// Parses a value of a field, or of the only field that accepts it.
    private mutating func parseValue(of named: Int?) throws(Failure) {
        let candidates = named.map { [$0] } ?? rows.indices.filter { !rows[$0].field.isReadOnly }
        for value in values {
            var accepting: [(row: Int, edit: Edit)] = []
            var limiting: [NamedRingSetting.Field] = []
            for row in candidates {
                switch rows[row].parse(value.words.lowercased()) {
                case .success(let edit): accepting.append((row, edit))
                case .failure(.outOfRange): limiting.append(rows[row].field)
                case .failure(.otherNotation): continue
                }
            }
            switch (accepting.count, limiting.count) {
            case (0, 0): continue
            case (0, 1): throw badValue(value.words, of: limiting[0])
            case (0, _): throw ambiguousValue(value.words, limiting)
            case (1, _):
                let (row, edit) = accepting[0]
                guard edits[row] == nil else {
                    throw error("\(rows[row].field.name) has two values")
                }
                edits[row] = edit
                words = words.dropFirst(value.count)
                return
            default: throw ambiguousValue(value.words, accepting.map { rows[$0.row].field })
            }
        }
        let word = words.first ?? ""
        if let named { throw badValue(word, of: rows[named].field) }
        throw error("\(Self.quoted(word)) is neither a field nor a value; it takes \(accepted)")
    }

    /// The texts that begin at the next word, the longest first. A word before `=` is a name, and
    /// ends them.
    private var values: [(count: Int, words: String)] {
        let words = words.prefix(Self.longestValue)
        return (1...Self.longestValue).reversed().compactMap { count in
            let value = words.prefix(count)
            let next = self.words.dropFirst(count).first
            guard value.count == count, !value.contains(Self.equals),
                count == 1 || next != Self.equals
            else { return nil }
            return (count, value.joined(separator: " "))
        }
    }

    private var accepted: String {
        rows.map(\.field).filter { !$0.isReadOnly }.map { "\($0.name) (\($0.accepts))" }
            .joined(separator: ", ")
    }

    private func error(_ words: String) -> Failure {
        .wrongUsage("\(setting): \(words).")
    }

    private func badValue(_ found: String, of field: NamedRingSetting.Field) -> Failure {
        error("\(field.name) takes \(field.accepts), not \(Self.quoted(found))")
    }

    private func ambiguousValue(
        _ found: String, _ fields: [NamedRingSetting.Field]
    ) -> Failure {
        let names = fields.map(\.name)
        return error(
            "\(Self.quoted(found)) may be \(TextLayout.alternatives(names)); "
                + "write \(names[0])=VALUE")
    }

    private static func quoted(_ found: String) -> String {
        PrintableText.quoted(found.utf8.prefix(longestQuote))
    }

    private static var longestQuote: Int { 40 }

    private static func words(in text: String) -> [String] {
        text.unicodeScalars.flatMap { $0 == "=" ? [" ", $0, " "] : [$0] }
            .split { $0 == "," || $0.properties.isWhitespace }
            .map { String(String.UnicodeScalarView($0)) }
    }

    private static var equals: String { "=" }
    private static var longestValue: Int { 4 }
}
