import HaloCapture
import HaloDevices
import HaloSimulator

struct DemoVerb: Verb {
    private let seed: UInt64
    private let days: Int
    private let profile: RingProfile
    private let report: FilePath?

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
        options: [seedOption, daysOption, profileOption, reportOption, CommonOptions.force],
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
        seed = try arguments.value(of: Self.seedOption) ?? Self.defaults.seed
        days = try arguments.value(of: Self.daysOption) ?? Self.defaults.days
        profile = try arguments.value(of: Self.profileOption) ?? Self.defaults.profile
        report = try arguments.value(of: Self.reportOption)
        if report == nil, arguments.has(CommonOptions.force) {
            throw .wrongUsage("--force is for a file: --report FILE")
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if report?.isStandard == true { console.leaveOutputToFile() }
        let record = try await using { () async throws(DeviceError) in
            try await DemoRecord.make(seed: seed, days: days, profile: profile)
        }
        var written: JSONObject?
        if let report {
            let page = record.page
            try OutputFile.write(page, to: report, &console)
            written = ["path": report.text, "bytes": page.count]
        }
        if console.isJSON {
            console.write(type: "demo", Self.members(record) + ["report": written])
            return .success
        }
        if let report {
            let days = TextLayout.count(record.summaries.count, "day")
            console.write("\(days) of a virtual ring in \(report.text.printable)\n")
            return .success
        }
        let charts = HistoryPicture(
            record.history, until: record.end, width: console.width, style: console.style)
        for line in DemoPicture(record: record, charts: charts).lines { console.write(line + "\n") }
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
    private static func members(_ record: DemoRecord) -> JSONObject {
        [
            "seed": record.seed,
            "ring": record.ring.nameInWords, "model": record.profile.model,
            "firmware": record.firmware, "hardware": record.hardware,
            "battery": record.battery.percent, "rssi": record.ring.rssi.map { Double($0) },
            "strap": [
                "name": record.strap.nameInWords,
                "rssi": record.strap.rssi.map { Double($0) },
                "beatMilliseconds": record.strapReadings.flatMap(\.beats).map {
                    $0.interval / .milliseconds(1)
                },
            ] as JSONObject,
            "daysRequested": record.days, "daysNotKept": record.daysNotKept,
            "history": object(record.history),
            "days": JSONObject.list(record.summaries, members),
            "live": [
                "ring": record.readings.map(\.beatsPerMinute),
                "strap": record.strapReadings.map(\.beatsPerMinute),
            ] as JSONObject,
            "seconds": record.duration.components.seconds,
        ]
    }

    private static func object(_ history: RingHistory) -> JSONObject {
        func samples(_ samples: [TimedSample<Int>], _ name: String) -> [JSONObject] {
            JSONObject.list(samples) { JSONObject([("time", "\($0.time)"), (name, $0.value)]) }
        }
        return [
            "heartRate": samples(history[.heartRate], "bpm"),
            "stress": samples(history[.stress], "score"),
            "heartRateVariability": samples(history[.heartRateVariability], "milliseconds"),
            "bloodOxygen": JSONObject.list(history[.bloodOxygen]) {
                [
                    "time": "\($0.time)", "lowestPercent": $0.value.lowestPercent,
                    "highestPercent": $0.value.highestPercent,
                ]
            },
            "temperature": JSONObject.list(history[.temperature]) {
                ["time": "\($0.time)", "celsius": $0.value]
            },
            "activity": JSONObject.list(history[.activity]) {
                ["time": "\($0.time)", "steps": $0.value.steps, "metres": $0.value.metres]
            },
            "sleep": JSONObject.list(history[.sleep]) { night in
                [
                    "start": "\(night.start)", "end": "\(night.end)", "isNap": night.isNap,
                    "stages": JSONObject.list(night.stages) {
                        ["stage": "\($0.value)", "minutes": $0.minutes]
                    },
                ]
            },
            "failures": history.failures.map { "\($0.kind): \($0.error)" },
        ]
    }

    private static func members(_ day: DaySummary) -> JSONObject {
        [
            "date": "\(day.date)", "steps": day.steps, "metres": day.metres,
            "minutesAsleep": day.sleepMinutes, "lowestBPM": day.heartRates?.lowerBound,
            "highestBPM": day.heartRates?.upperBound,
            "missing": [
                "steps": day.missingSteps, "sleep": day.missingSleep,
                "heartRate": day.missingHeartRates,
            ] as JSONObject,
        ]
    }
}
