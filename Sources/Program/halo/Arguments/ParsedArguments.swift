/// The arguments of a verb, told apart by its table of options.
///
/// - `--name value`, `--name=value`, `-n value` and `-nvalue` are an option and its value; `-qj` is
///   two flags.
/// - An argument that begins with `-` is never the value of the option before it: such a value
///   stands after `=`. `-` is a value, and a word.
/// - After `--` there are no options.
/// - An option is given once, unless the table says that it can be repeated.
struct ParsedArguments {
    /// The arguments that are no options, and stand before `--`.
    private(set) var words: [Argument] = []
    /// The arguments after `--`, or `nil` without it.
    private(set) var trailing: [Argument]?

    /// The first word that stands after an option whose value would stand after `=`.
    private var misplaced: (option: String, word: String)?

    private let options: [OptionFacts]
    private var values: [String: [Argument]] = [:]

    /// Parses arguments. With `--help` no error counts.
    init(_ arguments: [Argument], _ options: [OptionFacts]) throws(Failure) {
        self.options = options
        var rest = arguments[...]
        var failure: Failure?
        while let argument = rest.popFirst() {
            do throws(Failure) {
                if argument == "--" {
                    trailing = Array(rest)
                    rest = []
                } else if argument.bytes.starts(with: "--".utf8) {
                    try readName(argument, &rest)
                } else if argument.isOption {
                    try readLetters(argument, &rest)
                } else {
                    words.append(argument)
                }
            } catch {
                if failure == nil { failure = error }
            }
        }
        if let failure, !has(CommonOptions.help) { throw failure }
    }

    private mutating func readName(
        _ argument: Argument, _ rest: inout ArraySlice<Argument>
    ) throws(Failure) {
        let equals = argument.bytes.firstIndex(of: UInt8(ascii: "="))
        let word = Argument(bytes: Array(argument.bytes[..<(equals ?? argument.bytes.count)])).text
        guard let option = options.first(where: { $0.word == word }) else {
            let names = options.map(\.word)
            throw .wrongUsage(
                "unknown option '\(word)'" + Suggestion.text(for: word, among: names))
        }
        let attached = equals.map { argument.dropFirst($0 + 1) }
        try add(option, word, attached, &rest)
    }

    private mutating func readLetters(
        _ argument: Argument, _ rest: inout ArraySlice<Argument>
    ) throws(Failure) {
        var index = 1
        while index < argument.bytes.count {
            let letter = Character(Unicode.Scalar(argument.bytes[index]))
            guard let option = options.first(where: { $0.letter == letter }) else {
                let text = argument.text
                throw .wrongUsage("unknown option '\(text)'; a file of this name is ./\(text)")
            }
            index += 1
            if case .none = option.value {
                try add(option, "-\(letter)", nil, &rest)
                continue
            }
            let attached = index < argument.bytes.count ? argument.dropFirst(index) : nil
            return try add(option, "-\(letter)", attached, &rest)
        }
    }

    private mutating func add(
        _ option: OptionFacts, _ word: String, _ attached: Argument?,
        _ rest: inout ArraySlice<Argument>
    ) throws(Failure) {
        let value: Argument
        switch option.value {
        case .none:
            guard attached == nil else { throw .wrongUsage("\(word) takes no value") }
            value = ""
        case .optional(_, let beginnings):
            value = attached ?? ""
            if attached == nil, let next = rest.first, !next.isOption, next != "-" {
                try Self.refuse(next.text, after: word, ifItBeginsWith: beginnings)
                misplaced = misplaced ?? (word, next.text)
            }
        case .file, .text, .choice:
            value = if let attached { attached } else { try Self.next(of: option, word, &rest) }
        }
        if !option.isRepeatable, values[option.name] != nil {
            throw .wrongUsage("\(word) can be given only once")
        }
        values[option.name, default: []].append(value)
    }

    /// Refuses a word that is the value of the option before it, though it does not stand after
    /// `=`: a verb would take it for a file or a packet.
    private static func refuse(
        _ text: String, after word: String, ifItBeginsWith beginnings: [String]
    ) throws(Failure) {
        let isValue = beginnings.contains { beginning in
            beginning.last == "="
                ? text.hasPrefix(beginning) : text.prefix { $0 != "," } == beginning
        }
        guard isValue else { return }
        throw .wrongUsage("write \(word)=\(text), not \(word) \(text)")
    }

    private static func next(
        of option: OptionFacts, _ word: String, _ rest: inout ArraySlice<Argument>
    ) throws(Failure) -> Argument {
        let isFile = if case .file = option.value { true } else { false }
        let kind = isFile ? "a file" : "a value"
        guard let value = rest.first else { throw .wrongUsage("\(word) takes \(kind)") }
        guard !value.isOption else {
            let (text, otherwise) = (value.text, isFile ? " or ./\(value.text)" : "")
            throw .wrongUsage(
                "\(word) takes \(kind), not '\(text)'; if it is one, write "
                    + "\(option.word)=\(text)\(otherwise)")
        }
        rest.removeFirst()
        return value
    }

    func has(_ option: some VerbOption) -> Bool { values[option.facts.name] != nil }

    func value<Value>(of option: Option<Value>) throws(Failure) -> Value? {
        try values(of: option).first
    }

    func rawValue(of option: some VerbOption) -> String? {
        values[option.facts.name]?.first?.text
    }

    func values<Value>(of option: Option<Value>) throws(Failure) -> [Value] {
        var parsed: [Value] = []
        for argument in values[option.facts.name] ?? [] {
            parsed.append(try option.parse(argument))
        }
        return parsed
    }

    var allWords: [Argument] { words + (trailing ?? []) }

    func words(atMost count: Int) throws(Failure) -> [Argument] {
        guard allWords.count > count else { return allWords }
        let word = allWords[count].text
        let advice =
            misplaced.map { "; if '\($0.word)' is for \($0.option), write \($0.option)=\($0.word)" }
            ?? ""
        throw .wrongUsage("unexpected argument '\(word)'\(advice)")
    }

    /// Returns the value of the first word; without one, the error says what it is for.
    func value<Value>(
        ofWord purpose: String, of verb: String, from words: [String], or others: [String] = [],
        atMost count: Int = 1, _ value: (String) -> Value?
    ) throws(Failure) -> Value {
        guard let word = try self.words(atMost: count).first?.text else {
            throw .wrongUsage("say \(purpose): \(words.joined(separator: ", "))")
        }
        return try Choice.value(word, of: verb, from: words, or: others, value)
    }
}
