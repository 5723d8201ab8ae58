import HaloCapture
import HaloDevices
import HaloSimulator

struct DemoVerb: Verb {
    private let seed: UInt64
    private let days: Int
    private let profile: RingProfile
    private let report: FilePath?
    private let replaces: Bool

    private static let defaults = (seed: UInt64(3), days: 7, profile: RingProfile.r10)

    private static let seedOption = Option.seed(
        "the seed of the wearer (default: \(defaults.seed))")
    private static let daysOption = Option.number(
        "days", "N", in: 1...30,
        """
        the days that the ring was worn and that are read, 1 to 30 (default: \(defaults.days)). \
        Rings keep a week at most
        """)
    private static let profileOption = Option.profile(
        "model", "the model of the ring (default: \(defaults.profile.optionName))")
    private static let reportOption = Option.file(
        "report",
        """
        writes the days as a page for a browser, instead of the picture; with -, to standard \
        output
        """)

    static let syntax = VerbSyntax(
        "demo", "reads a virtual ring and draws a day, without hardware",
        options: [seedOption, daysOption, profileOption, reportOption, FileArguments.force],
        json: """
            one JSON object: type (demo), seed, ring, strap, daysRequested, daysNotKept, history, \
            days, live, seconds, report (the path and bytes of the page; null without one)
            """,
        examples: [
            "halo demo", "halo demo --model r12 --seed 7", "halo demo --report week.html",
        ],
        """
        Finds a ring, connects to it, reads its history, measures the heart rate with it and with a
        chest strap, and draws the last twenty-four hours. Ring, strap, wearer and time are
        virtual; an app makes the same calls over Bluetooth. The same seed gives the same wearer
        and the same week. What a model does not support is reported, and is not an error. A day
        without values says why: the ring no longer keeps it ("not kept"), was not worn, or does
        not measure the kind ("lacking").

        The picture is as wide as the terminal, up to 120 columns; without a terminal, as wide as
        COLUMNS. NO_COLOR turns colours off.

        --report writes what an app can make of the same history: one HTML file with charts of the
        week and of each day, which needs nothing else. The same options give the same file.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        try arguments.refuseWords()
        seed = try arguments.value(of: Self.seedOption) ?? Self.defaults.seed
        days = try arguments.value(of: Self.daysOption) ?? Self.defaults.days
        profile = try arguments.value(of: Self.profileOption) ?? Self.defaults.profile
        report = try arguments.value(of: Self.reportOption)
        replaces = arguments.has(FileArguments.force)
        if replaces, report == nil { throw .wrongUsage("--force is for a file: --report FILE") }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if report?.isStandard == true { console.leaveOutputToFile() }
        let record = try await using { () async throws(DeviceError) in
            try await DemoRecord.make(seed: seed, days: days, profile: profile)
        }
        var written: JSONValue.Members?
        if let report {
            let page = record.page
            try OutputFile.write(page, to: report, replaces: replaces, &console)
            written = [("path", .string(report.text)), ("bytes", .number(page.count))]
        }
        if console.isJSON {
            console.write(type: "demo", Self.members(record) + [("report", .object(written))])
            return .success
        }
        if let report {
            let days = TextLayout.count(record.summaries.count, "day")
            console.write("\(days) of a virtual ring in \(report.text.printable)\n")
            return .success
        }
        let picture = DemoPicture(record, width: console.width, style: console.style)
        for line in picture.lines { console.write(line + "\n") }
        if !console.isQuiet { console.write(Self.next) }
        return .success
    }

    private static let next = """

        Next
          halo live hr --virtual
          halo scan
          halo info

        """

    /// The members of the demonstration's object, with times of the ring's clock.
    private static func members(_ record: DemoRecord) -> JSONValue.Members {
        [
            ("seed", .number(record.seed)),
            (
                "ring",
                .object([
                    ("name", .string(record.ring.nameInWords)),
                    ("model", .string(record.profile.model)),
                    ("firmware", .string(record.firmware)),
                    ("hardware", .string(record.hardware)),
                    ("battery", .number(record.battery.percent)),
                    ("rssi", .decimal(record.ring.rssi.map { Double($0) })),
                ])
            ),
            (
                "strap",
                .object([
                    ("name", .string(record.strap.nameInWords)),
                    ("rssi", .decimal(record.strap.rssi.map { Double($0) })),
                    (
                        "beatMilliseconds",
                        .array(
                            record.strapReadings.flatMap(\.beats).map {
                                .decimal($0.interval / .milliseconds(1))
                            })
                    ),
                ])
            ),
            ("daysRequested", .number(record.days)), ("daysNotKept", .number(record.daysNotKept)),
            ("history", json(record.history)),
            ("days", .objects(record.summaries, members)),
            (
                "live",
                .object([
                    ("ring", .array(record.readings.map { .number($0.beatsPerMinute) })),
                    ("strap", .array(record.strapReadings.map { .number($0.beatsPerMinute) })),
                ])
            ),
            ("seconds", .number(record.duration.components.seconds)),
        ]
    }

    private static func json(_ history: RingHistory) -> JSONValue {
        func samples(_ samples: [TimedSample<Int>], _ name: String) -> JSONValue {
            .objects(samples) { [("time", .string("\($0.time)")), (name, .number($0.value))] }
        }
        let oxygen = JSONValue.objects(history.bloodOxygen) {
            [
                ("time", .string("\($0.time)")), ("lowestPercent", .number($0.value.lowestPercent)),
                ("highestPercent", .number($0.value.highestPercent)),
            ]
        }
        let temperatures = JSONValue.objects(history.temperatures) {
            [("time", .string("\($0.time)")), ("celsius", .decimal($0.value))]
        }
        let activity = JSONValue.objects(history.activity) {
            [
                ("time", .string("\($0.time)")), ("steps", .number($0.value.steps)),
                ("metres", .number($0.value.metres)),
            ]
        }
        let sleep = JSONValue.objects(history.sleep) { night in
            [
                ("start", .string("\(night.start)")), ("end", .string("\(night.end)")),
                ("isNap", .boolean(night.isNap)),
                (
                    "stages",
                    .objects(night.stages) {
                        [("stage", .string("\($0.value)")), ("minutes", .number($0.minutes))]
                    }
                ),
            ]
        }
        return .object([
            ("heartRates", samples(history.heartRates, "bpm")),
            ("stress", samples(history.stress, "score")),
            ("heartRateVariability", samples(history.heartRateVariability, "milliseconds")),
            ("bloodOxygen", oxygen), ("temperatures", temperatures),
            ("activity", activity), ("sleep", sleep),
            ("failures", .strings(history.failures.map { "\($0.kind): \($0.error)" })),
        ])
    }

    private static func members(_ day: DaySummary) -> JSONValue.Members {
        [
            ("date", .string("\(day.date)")), ("steps", .number(day.steps)),
            ("metres", .number(day.metres)),
            ("sleepMinutes", .number(day.sleepMinutes)),
            ("leastBPM", .number(day.heartRates?.lowerBound)),
            ("mostBPM", .number(day.heartRates?.upperBound)),
            (
                "missing",
                .object([
                    ("steps", .string(day.missingSteps)), ("sleep", .string(day.missingSleep)),
                    ("heartRates", .string(day.missingHeartRates)),
                ])
            ),
        ]
    }
}
