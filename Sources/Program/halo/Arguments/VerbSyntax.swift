/// The table of a verb: its name, its forms and its options. Parsing, the help text, the
/// completions and the manual page are made from it.
struct VerbSyntax: Sendable {
    let name: String
    let summary: String
    /// What stands after the options, for each form of the command line: `FILE …`.
    let forms: [String]
    /// Words that the first argument can be: the names of measurements, of verbs.
    let words: [String]
    /// Words that the second argument can be, after some of the first ones.
    let secondWords: [String: [String]]
    let takesFiles: Bool
    /// What the verb prints with `--json`; `nil` if it has no such option.
    let json: String?
    private let ownOptions: [OptionFacts]
    /// The options of all verbs with a device; empty for a verb without one.
    private let deviceOptions: [OptionFacts]
    /// The paragraphs of the help text, with an empty line between. A line that begins with a
    /// space is kept as it is.
    let text: String
    /// Commands to begin with; empty if the text has some.
    let examples: [String]
    /// What exit status 1 means, or `nil` if the verb never ends with it.
    let difference: String?

    init(
        _ name: String, _ summary: String, forms: [String] = [""], words: [String] = [],
        secondWords: [String: [String]] = [:], takesFiles: Bool = false,
        options: [any VerbOption] = [],
        deviceOptions: [any VerbOption] = [], json: String? = nil,
        difference: String? = nil, examples: [String] = [], _ text: String
    ) {
        self.name = name
        self.summary = summary
        self.forms = forms
        self.words = words
        self.secondWords = secondWords
        self.takesFiles = takesFiles
        self.json = json
        ownOptions = options.map(\.facts)
        self.deviceOptions = deviceOptions.map(\.facts)
        self.difference = difference
        self.examples = examples
        self.text = text
    }

    var explainedOptions: [OptionFacts] {
        ownOptions + (json.map { [CommonOptions.json($0).facts] } ?? [])
    }

    private var sharedOptions: [OptionFacts] {
        deviceOptions + CommonOptions.all.map(\.facts)
    }

    var options: [OptionFacts] { explainedOptions + sharedOptions }

    /// The most columns of an option before its sentence stands on the next line.
    private static let optionWidth = 24

    /// `true` if no form has more than options.
    var takesNoWords: Bool { forms.allSatisfy { $0 == "" || $0.hasPrefix("--") } }

    var synopsis: [String] {
        forms.map { form in
            let parts = form.hasPrefix("--") ? [form, "[option …]"] : ["[option …]", form]
            return (["halo", name] + parts).filter { $0 != "" }.joined(separator: " ")
        }
    }

    func help(_ width: Int = TextLayout.widest) -> String {
        let head = "usage: " + synopsis.joined(separator: "\n       ")
        let parts =
            [head] + paragraphs(width) + [Self.table(of: explainedOptions, width)]
            + [exampleLines, Self.filled(sharedWords, width), Self.filled(exitStatuses, width)]
        return parts.filter { $0 != "" }.joined(separator: "\n\n") + "\n"
    }

    private var exampleLines: String {
        guard !examples.isEmpty else { return "" }
        return (["Examples:"] + examples.map { "  " + $0 }).joined(separator: "\n")
    }

    private var sharedWords: String {
        let shared = sharedOptions.map { option in
            option.letter.map { "-\($0)" } ?? option.word
        }
        return "Also \(shared.joined(separator: ", ")): see 'halo help options'."
    }

    func paragraphs(_ width: Int) -> [String] {
        text.split(separator: "\n\n").map { Self.filled(String($0), width) }
    }

    static func table(of options: [OptionFacts], _ width: Int) -> String {
        let rows = options.map { (form: Self.column($0), help: $0.help) }
        let widths = rows.map(\.form.count).filter { $0 <= optionWidth }
        let column = (widths.max() ?? 0) + 2
        return rows.map { row in
            let lines = TextLayout.wrapped(
                row.help, width: max(width - column, TextLayout.leastRoom))
            let indented = lines.joined(separator: "\n" + String(repeating: " ", count: column))
            guard row.form.count <= optionWidth else {
                return row.form + "\n" + String(repeating: " ", count: column) + indented
            }
            return row.form.padded(toColumns: column) + indented
        }.joined(separator: "\n")
    }

    /// The first column of an option: `  -q, --quiet`.
    private static func column(_ option: OptionFacts) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return "  \(letter)\(option.form)"
    }

    var exitStatuses: String {
        let one = difference.map { "1 if \($0); " } ?? ""
        let others = deviceOptions.isEmpty ? Self.ofAll : "\(Self.withoutDevice)\(Self.ofAll)"
        return "Exit status: 0 if all was done; \(one)\(Self.ofUse)\(others)"
    }

    static let commonStatuses = """
        0 if all was done; 1 if there is a problem in the input, or something could not \
        be decoded; \(ofUse)\(withoutDevice)\(ofAll)
        """

    private static let ofUse = "2 for wrong usage; 3 if a file or a device could not be used; "
    private static let withoutDevice = "4 if the device was not found; "
    private static let ofAll = "128 plus the signal number if a signal ended it."

    /// A paragraph in lines of a width. Lines that begin with a space stay as they are, except for
    /// the last cell of a table's row, which goes on below itself.
    private static func filled(_ paragraph: String, _ width: Int) -> String {
        let lines = paragraph.split(separator: "\n")
        if lines.contains(where: { $0.hasPrefix(" ") }) {
            return lines.flatMap { line -> [String] in
                guard let gap = line.ranges(of: "  ").last,
                    gap.upperBound != line.firstIndex(where: { $0 != " " })
                else { return [String(line)] }
                let row = [line[..<gap.lowerBound], line[gap.upperBound...]].map(String.init)
                return TextLayout.lines(of: [row], width: width)
            }.joined(separator: "\n")
        }
        let words = paragraph.split { $0 == " " || $0 == "\n" }
        return TextLayout.wrapped(words, separator: " ", width: width).joined(separator: "\n")
    }
}
