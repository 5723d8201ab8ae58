/// The options that every verb has.
enum CommonOptions {
    static let help = Flag("help", letter: "h", "prints this text")
    static let quiet = Flag("quiet", letter: "q", "prints no remarks and no progress")
    static let color = Option.choice(
        "color", "WHEN", from: ColorChoice.allCases.map(\.rawValue),
        "colours: auto (on a terminal, unless NO_COLOR is set), always or never; auto if left out",
        ColorChoice.init(rawValue:))

    static let all: [any VerbOption] = [quiet, color, help]

    /// `--json`, with what it prints.
    static func json(_ help: String) -> Flag { Flag("json", help) }

    /// The time after which a verb ends that would go on for ever.
    static let duration = Option.duration(
        "for", "ends after this time, as 90s, 1m30s or 2h; at Ctrl-C if left out")
}
