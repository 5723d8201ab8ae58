import HaloDevices
import HaloProtocol
import HaloSimulator

/// `halo demo`: reads a virtual ring and a virtual strap, and draws a day.
struct DemoVerb: Verb {
    private var seed: UInt64 = 3
    private var days = 7
    private var profile = RingProfile.r10
    private var isJSON = false

    static let name = "demo"
    static let summary = "reads a virtual ring and draws a day, without hardware"

    static let synopsis = "halo demo [--seed N] [--days N] [--profile NAME] [--json]"

    static let details = """
        Finds a ring, connects to it, reads its history, measures the heart rate with it and with a
        chest strap, and draws the last twenty-four hours. Ring, strap, wearer and time are
        virtual; an app makes the same calls over Bluetooth. The same seed gives the same wearer
        and the same week.

          --seed N        the seed of the wearer; 3 if left out
          --days N        the days that the ring was worn and that are read, 1 to 30; 7 if left out
          --profile NAME  the model of the ring: \
        \(RingProfile.modelNames.joined(separator: ", ")); r10 if left out
          --json          one JSON object: seed, ring, strap, history, days, live, seconds

        The picture is as wide as the terminal, up to 120 columns; without a terminal, as wide as
        COLUMNS. NO_COLOR turns colours off.

        Exit status: 0 if it succeeded, also if a model refuses some requests; 1 if not; 2 for
        wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        while let option = try arguments.next() {
            switch option {
            case "--seed": seed = try arguments.seed(of: option)
            case "--days": days = try arguments.number(of: option, in: 1...30)
            case "--profile":
                profile = try arguments.value(
                    of: option, from: RingProfile.modelNames, RingProfile.named)
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        try arguments.refuseWordsAndCommand()
    }

    func run(_ console: inout Console) async -> ExitStatus {
        do throws(DeviceError) {
            let record = try await DemoRecord.make(seed: seed, days: days, profile: profile)
            if isJSON {
                console.write(Self.json(record))
            } else {
                let picture = DemoPicture(record, width: console.width, style: console.style)
                for line in picture.lines { console.write(line + "\n") }
            }
            return .success
        } catch {
            console.report("\(error)")
            return .foundFault
        }
    }

    // MARK: JSON

    /// The demonstration as one object, with times of the ring's clock.
    private static func json(_ record: DemoRecord) -> JSONValue {
        .object([
            ("seed", .number(record.seed)),
            (
                "ring",
                .object([
                    ("name", .string(record.ring.name)),
                    ("model", .string(record.profile.model)),
                    ("firmware", .string(record.firmware)),
                    ("hardware", .string(record.hardware)),
                    ("battery", .number(record.battery.percent)),
                ])
            ),
            ("strap", .object([("name", .string(record.strap.name))])),
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
        ])
    }

    private static func json(_ history: RingHistory) -> JSONValue {
        func samples(_ samples: [TimedSample<Int>], _ name: String) -> JSONValue {
            .objects(samples) { [("time", .string("\($0.time)")), (name, .number($0.value))] }
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
            ("variability", samples(history.variability, "milliseconds")),
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
        ]
    }
}
