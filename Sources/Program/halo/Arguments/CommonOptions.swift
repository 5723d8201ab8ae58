enum CommonOptions {
    static let help = Flag("help", letter: "h", "prints the help of a verb")
    static let quiet = Flag("quiet", letter: "q", "hides remarks and progress")
    static let color = Option.choice(
        "color", "WHEN", from: ColorChoice.allCases.map(\.rawValue),
        "colours: auto (default: on a terminal, unless NO_COLOR is set), always or never",
        ColorChoice.init(rawValue:))

    static let all: [any VerbOption] = [quiet, color, help]

    static let force = Flag("force", letter: "f", "replaces an existing file")

    static func json(_ help: String) -> Flag { Flag("json", help) }

    /// The time after which a verb ends that would go on for ever.
    static let duration = Option.duration(
        "for", "the time to run, like 90s, 1m30s or 2h; until Ctrl-C by default")
}
