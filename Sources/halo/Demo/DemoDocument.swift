import HaloDevices
import HaloProtocol
import HaloSimulator

/// A demonstration as JSON. Times are of the ring's clock, as people write them.
struct DemoDocument {
    let value: JSONText.Value

    init(_ record: DemoRecord) {
        let history = record.history
        value = .object([
            ("seed", .number(record.options.seed)),
            (
                "ring",
                .object([
                    ("name", .string(record.ring.name)),
                    ("model", .string(record.options.profile.model)),
                    ("firmware", .string(record.firmware)),
                    ("hardware", .string(record.hardware)),
                    ("battery", Self.number(record.battery.percent)),
                ])
            ),
            ("strap", .object([("name", .string(record.strap.name))])),
            ("history", Self.history(history)),
            (
                "days",
                .array(DemoDay.days(of: history, count: record.options.days).map(Self.day))
            ),
            (
                "live",
                .object([
                    ("ring", .array(record.beats.map { Self.number($0.bpm) })),
                    ("strap", .array(record.strapBeats.map { Self.number($0.bpm) })),
                ])
            ),
            ("seconds", Self.number(Int(clamping: record.duration.components.seconds))),
        ])
    }

    private static func number(_ number: Int) -> JSONText.Value {
        .number(UInt64(clamping: number))
    }

    private static func time(_ time: CivilDateTime) -> JSONText.Value {
        .string("\(time)")
    }

    private static func samples(
        _ samples: [TimedSample<Int>], _ name: String
    ) -> JSONText.Value {
        .array(
            samples.map { .object([("time", time($0.time)), (name, number($0.value))]) })
    }

    private static func history(_ history: RingHistory) -> JSONText.Value {
        .object([
            ("heartRates", samples(history.heartRates, "bpm")),
            ("stress", samples(history.stress, "score")),
            ("variability", samples(history.variability, "milliseconds")),
            (
                "activity",
                .array(
                    history.activity.map {
                        .object([
                            ("time", time($0.time)), ("steps", number($0.value.steps)),
                            ("metres", number($0.value.metres)),
                        ])
                    })
            ),
            ("sleep", .array(history.sleep.map(sleep))),
            ("failures", .array(history.failures.map { .string("\($0.kind): \($0.error)") })),
        ])
    }

    private static func sleep(_ night: SleepRecord) -> JSONText.Value {
        .object([
            ("start", time(night.start)), ("end", time(night.end)),
            ("isNap", .boolean(night.isNap)),
            (
                "stages",
                .array(
                    night.stages.map {
                        .object([
                            ("stage", .string("\($0.value)")), ("minutes", number($0.minutes)),
                        ])
                    })
            ),
        ])
    }

    private static func day(_ day: DemoDay) -> JSONText.Value {
        .object([
            ("date", .string("\(day.date)")), ("steps", number(day.steps)),
            ("metres", number(day.metres)),
            ("sleepMinutes", day.sleepMinutes.map(number) ?? .null),
            ("leastBPM", day.heartRates.map { number($0.least) } ?? .null),
            ("mostBPM", day.heartRates.map { number($0.most) } ?? .null),
        ])
    }
}
