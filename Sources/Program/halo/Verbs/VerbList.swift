/// The verbs of the program.
enum VerbList {
    static let version = "0.1.0"

    /// All verbs, those for devices first.
    static var all: [any Verb.Type] {
        [
            ScanVerb.self, InfoVerb.self, LiveVerb.self, SettingsVerb.self, FindVerb.self,
            WorkoutVerb.self, StripVerb.self, SendVerb.self, UseVerb.self, RecordVerb.self,
            SimulateVerb.self,
            DecodeVerb.self, ImportVerb.self, ReplayVerb.self, ScrubVerb.self, ExportVerb.self,
            PacketsVerb.self, DemoVerb.self, DoctorVerb.self,
            CompletionsVerb.self,
        ]
    }

    /// The verbs that are no more than a text.
    static let texts = ["help", "version"]

    /// Words that are looked for as verbs, with what has them.
    static let elsewhere = [
        "battery": "'halo info' shows the battery.",
        "clock": """
        A ring has no request for the time of its clock; 'halo info --set-clock' sets it, as \
        'halo record' does.
        """,
        "history": "'halo record' reads the history of a ring, into a capture.",
        "hr": "'halo live hr' measures the heart rate.",
        "sleep": "'halo record' reads the history of a ring, into a capture.",
    ]

    static var manual: Manual {
        Manual(version: version, verbs: all.map { $0.syntax }, texts: texts)
    }
}
