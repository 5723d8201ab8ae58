import HaloDevices

enum VerbList {
    static let version = "0.1.0"

    /// Verbs for one purpose, under a title of the list of verbs.
    typealias Group = (title: String, verbs: [any Verb.Type])

    /// All verbs, those for devices first.
    static var groups: [Group] {
        [
            (
                "Your ring or strap",
                [
                    ScanVerb.self, UseVerb.self, InfoVerb.self, LiveVerb.self, HistoryVerb.self,
                    SyncVerb.self, ReportVerb.self, SettingsVerb.self, WorkoutVerb.self,
                    FindVerb.self,
                ]
            ),
            ("Your LED strip", [StripVerb.self]),
            (
                "Packets and captures",
                [
                    RecordVerb.self, DecodeVerb.self, ImportVerb.self, ReplayVerb.self,
                    ScrubVerb.self, ExportVerb.self, SendVerb.self, PacketsVerb.self,
                ]
            ),
            ("Virtual devices", [DemoVerb.self, SimulateVerb.self]),
            ("This computer", [DoctorVerb.self, CompletionsVerb.self]),
        ]
    }

    static var all: [any Verb.Type] { groups.flatMap(\.verbs) }

    /// The verbs that are no more than a text.
    static let texts = ["help", "version"]

    static var manual: Manual {
        Manual(
            version: version, groups: groups.map { ($0.title, $0.verbs.map { $0.syntax }) },
            texts: texts)
    }

    // MARK: Words that are no verbs

    /// Returns what has a word that is looked for as a verb; `nil` for any other word.
    static func advice(onWord word: String) -> String? {
        let word = word.lowercased()
        if let advice = elsewhere.first(where: { $0.words.contains(word) })?.advice {
            return advice
        }
        guard let kind = HistoryKind(named: word) else { return nil }
        let isMeasured = LiveKind.allCases.contains { $0.historyKind == kind }
        return "'halo history \(word)' shows what a ring has stored"
            + (isMeasured ? "; 'halo live \(word)' measures it now." : ".")
    }

    private static let elsewhere: [(words: Set<String>, advice: String)] = [
        (["battery", "charge"], "'halo info' shows the battery, 'halo history battery' its past."),
        (
            ["clock", "time"],
            """
            A ring cannot be asked for its time; 'halo info --set-clock' sets its clock, and \
            'halo sync' and 'halo record' do.
            """
        ),
        (
            ["fetch", "download", "read", "save", "backup", "database"],
            "'halo sync' reads what a ring has stored, and keeps it; 'halo history' only shows it."
        ),
        (
            ["list", "ls", "devices", "search", "discover"],
            "'halo scan' lists the devices nearby, 'halo help' the verbs."
        ),
        (
            ["pair", "connect", "bond", "bind"],
            "Rings need no pairing: each verb connects by itself; 'halo use NAME' remembers one."
        ),
        (
            ["reset", "erase", "reboot", "unpair"],
            """
            'halo send FF66 --dangerous' resets a ring to its factory state, and erases all that \
            it has stored; 'halo packets' lists what else can be sent.
            """
        ),
        (["measure", "watch", "monitor"], "'halo live hr' measures the heart rate now."),
        (["csv", "json"], "'halo history' has --csv and --json."),
        (["goals", "wearer", "display"], "'halo settings' shows and changes the settings."),
        (["day", "days", "week"], "'halo history day' has a line for each day."),
    ]

    /// Returns the advice for a first argument that is an option: options stand after the verb.
    static func advice(onOptionsBeforeVerb arguments: [Argument]) -> String? {
        let names = all.map { $0.syntax.name }
        let before = arguments.prefix { !names.contains($0.text) }
        guard before.first?.isOption == true, before.count < arguments.count else { return nil }
        let words = [arguments[before.count]] + before
        let rest = words.count < arguments.count ? " …" : ""
        let line = words.map(\.text).joined(separator: " ")
        return "Options stand after the verb: halo \(line)\(rest)"
    }
}
