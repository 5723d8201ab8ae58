enum VerbList {
    static let version = "0.1.0"

    /// All verbs, those for devices first.
    static var all: [any Verb.Type] {
        [
            ScanVerb.self, InfoVerb.self, LiveVerb.self, SettingsVerb.self, FindVerb.self,
            WorkoutVerb.self, StripVerb.self, SendVerb.self, UseVerb.self, HistoryVerb.self,
            SyncVerb.self,
            ReportVerb.self,
            RecordVerb.self, SimulateVerb.self,
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
        A ring cannot be asked for its time; 'halo info --set-clock' sets its clock, and \
        'halo sync' and 'halo record' do.
        """,
        "hr": "'halo live hr' measures the heart rate.",
        "sleep": "'halo history sleep' shows the nights that a ring has stored.",
    ]

    static var manual: Manual {
        Manual(version: version, verbs: all.map { $0.syntax }, texts: texts)
    }
}
