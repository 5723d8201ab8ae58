import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// The days of some people, compared with a recording.
@Suite(.passesTime) struct WearerGoldenTests {
    private static func people() throws -> [(name: String, wearer: Wearer)] {
        [
            ("Average", Wearer(seed: 1)),
            (
                "Runner",
                Wearer(
                    seed: 77, restingHeartRate: 44, restingHeartRateVariability: 95,
                    bloodOxygenPercent: 98, stressLevel: 12, skinTemperatureTenths: 358,
                    stepsPerDay: 19_000, exerciseDaysPerWeek: 6,
                    bedtime: try CivilTime(hour: 21, minute: 40),
                    wakeTime: try CivilTime(hour: 5, minute: 25), ageYears: 24,
                    heightCentimetres: 186,
                    weightKilograms: 61)
            ),
            (
                "Owl",
                Wearer(
                    seed: 0xFFFF_0000_1234, restingHeartRate: 78, restingHeartRateVariability: 18,
                    bloodOxygenPercent: 93, stressLevel: 66, skinTemperatureTenths: 377,
                    stepsPerDay: 2_100, exerciseDaysPerWeek: 0,
                    bedtime: try CivilTime(hour: 2, minute: 50),
                    wakeTime: try CivilTime(hour: 11, minute: 30), ageYears: 71,
                    heightCentimetres: 158,
                    weightKilograms: 104)
            ),
        ]
    }

    private static func line(_ time: CivilDateTime, _ body: inout BodyClock) -> String {
        let state = body.state(at: time)
        let moved = body.movement(from: CivilDateTime(time.date), to: time)
        let stage = state.sleepStage.map { ", \($0)" } ?? ""
        return "\(time): \(state.activity)\(stage), \(state.beatsPerMinute) bpm, "
            + "beat \(state.meanBeatMicroseconds) µs, HRV \(state.variabilityMilliseconds) ms, "
            + "SpO2 \(state.bloodOxygenPercent) %, stress \(state.stress), "
            + "skin \(state.skinTemperatureTenths), \(state.stepsPerMinute) steps/min; "
            + "today \(moved.steps) steps, \(moved.runningSteps) run, \(moved.smallCalories) cal, "
            + "\(moved.millimetres) mm, \(moved.activeSeconds) s"
    }

    private static func words(_ sleep: SleepSpan) -> String {
        "\(sleep.start) to \(sleep.end): "
            + sleep.stages.map { "\($0.stage) \($0.minutes)" }.joined(separator: ", ")
    }

    /// Three days of each person: every two hours, nights, naps and exertions.
    @Test func daysAreAsRecorded() throws {
        var lines: [String] = []
        for (name, wearer) in try Self.people() {
            var body = BodyClock(wearer)
            lines.append(
                "# \(name): highest \(wearer.highestHeartRate) bpm, step "
                    + "\(wearer.stepMillimetres) mm, \(wearer.smallCaloriesPerStep) cal")
            for date in WearerWeek.month[3..<7] {
                lines.append("night \(Self.words(body.night(endingOn: date)))")
                lines += body.naps(on: date).map { "nap \(Self.words($0))" }
                lines += body.exertions(on: date).map {
                    "\($0.start) \($0.activity) for \($0.minutes) min"
                }
                for hour in stride(from: 1, to: 24, by: 2) {
                    lines.append(Self.line(WearerWeek.time(date, hour * 3600), &body))
                }
            }
        }
        try GoldenText("Golden/Simulations/Wearers.txt").expect(lines)
    }

    /// Four weeks of each person, in steps that reach every part of an hour, with the sensors'
    /// values.
    @Test func weeksAreAsRecorded() throws {
        var table = GoldenTable("Wearers")
        for (name, wearer) in try Self.people() {
            var body = BodyClock(wearer)
            for date in WearerWeek.month {
                var lines = ["night \(Self.words(body.night(endingOn: date)))"]
                lines.append("nap \(body.naps(on: date).first.map(Self.words) ?? "-")")
                for second in stride(from: 0, to: 86_400, by: 397) {
                    let time = WearerWeek.time(date, second)
                    let pull = body.acceleration(at: time, milliseconds: second % 1_000)
                    let wave = body.pulseWave(at: time, milliseconds: second % 997)
                    let next = body.exertion(from: time)
                    lines.append(Self.line(time, &body))
                    lines.append(
                        "\(pull.x) \(pull.y) \(pull.z) \(wave) \(body.beatMilliseconds(at: time)) "
                            + "\(next.map { "\($0.start) \($0.end)" } ?? "-")")
                }
                let noon = WearerWeek.time(date, 43_200)
                var beats = HeartBeats(of: wearer, from: noon)
                for _ in 0..<50 {
                    let beat = beats.next()
                    lines.append("\(beat.microseconds) \(beat.intervalMicroseconds)")
                }
                lines += body.sleeps(around: noon).map {
                    "\($0.isNap ? "nap" : "night") \(Self.words($0))"
                }
                try table.add("\(name) \(date)", lines)
            }
        }
        try GoldenText("Golden/Simulations/WearerWeeks.txt").expect(table.lines)
    }

    /// The values just before and after each change of activity.
    @Test func changesAreAsRecorded() throws {
        var table = GoldenTable("Changes")
        for (name, wearer) in try Self.people() {
            var body = BodyClock(wearer)
            for date in WearerWeek.days {
                var lines: [String] = []
                let night = body.night(endingOn: date)
                var moments = [night.start, night.end]
                for nap in body.naps(on: date) { moments += [nap.start, nap.end] }
                for exertion in body.exertions(on: date) {
                    moments += [exertion.start, exertion.end]
                }
                for moment in moments {
                    for offset in [
                        -1, 0, 1, 59, 60, 61, 119, 120, 121, 179, 180, 181, 599, 600, 601,
                    ] {
                        let time = moment.advanced(bySeconds: offset)
                        lines.append(Self.line(time, &body))
                        let step = body.movement(from: moment, to: time)
                        lines.append("since then \(step)")
                    }
                }
                try table.add("\(name) \(date)", lines)
            }
        }
        try GoldenText("Golden/Simulations/WearerChanges.txt").expect(table.lines)
    }

    @Test func noiseAndWavesAreAsComputedByHand() {
        #expect(
            (0...8).map { Wave.value(at: $0, of: 8) } == [
                0, 768, 1024, 768, 0, -768, -1024, -768, 0,
            ])
        #expect((-1...5).map { Wave.bump(at: $0, of: 4) } == [0, 0, 768, 1024, 768, 0, 0])
        let noise = SeededNoise(seed: 9)
        for second in stride(from: Int64(0), to: 3_000, by: 300) {
            let ends = [second, second + 300].map {
                noise.line(.slowPulse, at: $0, period: 300, amplitude: 40)
            }
            let middle = noise.line(.slowPulse, at: second + 150, period: 300, amplitude: 40)
            #expect(middle == ends[0] + (ends[1] - ends[0]) * 150 / 300)
            #expect(ends.allSatisfy { -40...40 ~= $0 })
        }
        #expect(!noise.happens(.dip, 1, percent: 0))
        #expect(noise.happens(.dip, 1, percent: 100))
    }
}

extension BodyClock {
    /// The blood volume under a pulse sensor, 0 to 1365, as a raw sensor would measure it: a column
    /// of the recording, derived from the heart rate.
    ///
    /// Each beat is a wave with an echo of a third of its height. Beats are counted from the start
    /// of each minute.
    fileprivate mutating func pulseWave(at time: CivilDateTime, milliseconds: Int) -> Int {
        let part = milliseconds.limited(to: 0...999)
        let second = Int(time.secondsSince1970 % 60)
        let minute = time.advanced(bySeconds: -second)
        // The phase in 1/1024 of a beat since the minute began.
        var phase = 0
        for elapsed in 0..<second {
            phase += state(at: minute.advanced(bySeconds: elapsed)).heartRate16 * 1024 / 960
        }
        phase += state(at: time).heartRate16 * 1024 / 960 * part / 1000
        let place = phase % 1024
        return Wave.bump(at: place, of: 450) + Wave.bump(at: place - 380, of: 400) / 3
    }
}
