import HaloDevices
import HaloProtocol
import HaloSimulator

/// `halo demo`: reads a virtual ring and a virtual strap, and draws a day.
struct DemoVerb: Verb {
    private let seed: UInt64
    private let days: Int
    private let profile: RingProfile

    private static let defaults = (seed: UInt64(3), days: 7, profile: RingProfile.r10)

    private static let seedOption = Option.seed(
        "the seed of the wearer; \(defaults.seed) if left out")
    private static let daysOption = Option.number(
        "days", "N", in: 1...30,
        """
        the days that the ring was worn and that are asked for, 1 to 30; \(defaults.days) if left \
        out. Rings keep a week at most
        """)
    private static let profileOption = Option.profile(
        "profile", "the model of the ring; \(defaults.profile.optionName) if left out")

    static let syntax = VerbSyntax(
        "demo", "reads a virtual ring and draws a day, without hardware",
        options: [seedOption, daysOption, profileOption],
        json: """
            one JSON object: type (demo), seed, ring, strap, daysRequested, daysNotKept, history, \
            days, live, seconds
            """,
        examples: ["halo demo", "halo demo --profile r12 --seed 7"],
        """
        Finds a ring, connects to it, reads its history, measures the heart rate with it and with a
        chest strap, and draws the last twenty-four hours. Ring, strap, wearer and time are
        virtual; an app makes the same calls over Bluetooth. The same seed gives the same wearer
        and the same week. What a model refuses is named, and no error. A day without values says
        why: the ring keeps it no longer ("not kept"), or was not worn.

        The picture is as wide as the terminal, up to 120 columns; without a terminal, as wide as
        COLUMNS. NO_COLOR turns colours off.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        try arguments.refuseWords()
        seed = try arguments.value(of: Self.seedOption) ?? Self.defaults.seed
        days = try arguments.value(of: Self.daysOption) ?? Self.defaults.days
        profile = try arguments.value(of: Self.profileOption) ?? Self.defaults.profile
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let record: DemoRecord
        do throws(DeviceError) {
            record = try await DemoRecord.make(seed: seed, days: days, profile: profile)
        } catch {
            throw Failure(error)
        }
        if console.isJSON {
            console.write(type: "demo", Self.members(record))
            return .success
        }
        let picture = DemoPicture(record, width: console.width, style: console.style)
        for line in picture.lines { console.write(line + "\n") }
        if !console.isQuiet { console.write(Self.next) }
        return .success
    }

    /// What to type next.
    private static let next = """

        Next
          halo live hr --virtual
          halo scan
          halo info

        """

    // MARK: JSON

    /// The members of the demonstration's object, with times of the ring's clock.
    private static func members(_ record: DemoRecord) -> JSONValue.Members {
        [
            ("seed", .number(record.seed)),
            (
                "ring",
                .object([
                    ("name", .string(record.ring.name)),
                    ("model", .string(record.profile.model)),
                    ("firmware", .string(record.firmware)),
                    ("hardware", .string(record.hardware)),
                    ("battery", .number(record.battery.percent)),
                    ("rssi", rssi(record.ring)),
                ])
            ),
            (
                "strap",
                .object([
                    ("name", .string(record.strap.name)), ("rssi", rssi(record.strap)),
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

    private static func rssi(_ device: DemoRecord.Device) -> JSONValue {
        device.rssi.map { .decimal(Double($0)) } ?? .null
    }

    private static func json(_ history: RingHistory) -> JSONValue {
        func samples(_ samples: [TimedSample<Int>], _ name: String) -> JSONValue {
            .objects(samples) { [("time", .string("\($0.time)")), (name, .number($0.value))] }
        }
        let oxygen = JSONValue.objects(history.bloodOxygen) {
            [
                ("time", .string("\($0.time)")), ("leastPercent", .number($0.value.least)),
                ("mostPercent", .number($0.value.most)),
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
            ("sleepMinutes", day.sleepMinutes.map { .number($0) } ?? .null),
            ("leastBPM", day.heartRates.map { .number($0.lowerBound) } ?? .null),
            ("mostBPM", day.heartRates.map { .number($0.upperBound) } ?? .null),
            (
                "missing",
                .object([
                    ("steps", .text(day.missingSteps)), ("sleep", .text(day.missingSleep)),
                    ("heartRates", .text(day.missingHeartRates)),
                ])
            ),
        ]
    }
}
