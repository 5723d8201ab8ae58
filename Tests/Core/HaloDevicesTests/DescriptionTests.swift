import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// The descriptions of values.
@Suite(.passesTime) struct DescriptionTests {
    @Test func readingsHaveTheirUnits() {
        #expect("\(HeartRateReading(beatsPerMinute: 64, beatInterval: nil))" == "64 bpm")
        #expect("\(BloodOxygenReading(percent: 97))" == "97 %")
        #expect("\(StressReading(score: 34, beatInterval: nil))" == "stress 34")
        let variability = HeartRateVariabilityReading(milliseconds: 42, beatInterval: nil)
        #expect("\(variability)" == "42 ms")
        #expect("\(TemperatureReading(celsius: 36.4))" == "36.4 °C")
    }

    @Test func storedValuesHaveTheirTimeAndUnits() {
        let time = CivilDateTime(secondsSince1970: 1_767_225_600)
        let sample = TimedSample(time: time, minutes: 5, secondsFromUTC: 0, value: 62)
        #expect("\(sample)" == "2026-01-01 00:00:00: 62")
        #expect("\(BloodOxygenRange(lowestPercent: 97, highestPercent: 97))" == "97 %")
        #expect("\(BloodOxygenRange(lowestPercent: 95, highestPercent: 97))" == "95–97 %")
        let walk = ActivityAmount(steps: 532, metres: 403, kilocalories: 18.5)
        #expect("\(walk)" == "532 steps, 403 m, 18.5 kcal")
        let far = ActivityAmount(steps: 3, metres: 2, kilocalories: nil)
        #expect("\(far)" == "3 steps, 2 m")
    }

    @Test func settingsAreDescribed() throws {
        let hour = Duration.seconds(3600)
        let night = DailyHours(
            from: try CivilTime(hour: 22, minute: 0),
            to: try CivilTime(hour: 7, minute: 5, second: 30))
        let settings: [(any CustomStringConvertible, String)] = [
            (
                HeartRateLogging(isOn: true, interval: .seconds(300), shortestInterval: hour),
                "on, every 5 min"
            ),
            (BloodOxygenLogging(isOn: false), "off"),
            (BloodOxygenLogging(isOn: true, interval: hour), "on, every 60 min"),
            (night, "22:00–07:05"),
            (
                BloodPressureLogging(isOn: false, hours: night, interval: hour),
                "off, 22:00–07:05, every 60 min"
            ),
            (DoNotDisturbSettings(isOn: true, hours: night), "on, 22:00–07:05"),
            (
                DailyGoals(steps: 5000, kilocalories: 300, metres: 3000),
                "5000 steps, 300.0 kcal, 3000 m"
            ),
            (
                DailyGoals(steps: 1, kilocalories: 2.5, metres: 3, sport: hour, sleep: hour * 8),
                "1 steps, 2.5 kcal, 3 m, 60 min of sport, 480 min of sleep"
            ),
            (
                DisplaySettings(isOn: true, hand: .left, brightness: 3),
                "on, all day, brightness 3 of 5, left hand"
            ),
            (
                DisplaySettings(
                    isOn: false, hand: nil, brightness: 1, isAllDay: false, hours: night),
                "off, 22:00–07:05, brightness 1 of 5"
            ),
            (GestureControl(.electronicBook, strength: 5), "electronic book, strength 5"),
            (TouchControl(.off, sleepsAfter: .seconds(300)), "off, sleeps after 5 min"),
            (
                WearerProfile(
                    sex: .female, ageYears: 34, heightCentimetres: 170, weightKilograms: 60),
                "female, 34 years, 170 cm, 60 kg, 24 hours, metric"
            ),
            (
                WearerProfile(
                    sex: nil, ageYears: 0, heightCentimetres: 0, weightKilograms: 0,
                    bloodPressure: BloodPressure(systolic: 120, diastolic: 80),
                    warningBeatsPerMinute: 150, uses24HourClock: false, usesMetricUnits: false),
                "sex not known, 0 years, 0 cm, 0 kg, 120/80 mmHg, warns above 150 bpm, "
                    + "12 hours, imperial"
            ),
        ]
        for (setting, words) in settings { #expect("\(setting)" == words) }
    }

    /// `components` of such a duration traps.
    @Test func durationsOfAnyLengthAreDescribed() {
        let huge = Duration.seconds(Int64.max) * 10
        let totals = ActivityTotals(
            steps: 1, runningSteps: 0, metres: 2, kilocalories: 3, activeTime: huge)
        #expect("\(totals)".hasSuffix("active for \(Int64.max / 60) min"))
        let workout = WorkoutReport(
            state: .running, elapsed: huge, beatsPerMinute: nil, steps: 0, metres: 0,
            kilocalories: 0)
        #expect("\(workout)".contains("\(Int64.max) s"))
    }

    @Test(arguments: [
        (ReconnectPolicy.never, "does not reconnect"),
        (
            ReconnectPolicy.untilConnected,
            "reconnects without a limit of attempts, after 1 s, then 2 times as long each time, "
                + "up to 60 s; 20 s for an attempt"
        ),
        (
            ReconnectPolicy(attempts: 1, firstDelay: .milliseconds(1500), waitsForDevice: true),
            "reconnects once, after 1.5 s; 20 s for an attempt once the device is in reach"
        ),
        (
            ReconnectPolicy(
                attempts: 4, firstDelay: .milliseconds(20), factor: 1, attemptTimeout: .minutes(2)),
            "reconnects at most 4 times, after 20 ms; 2 min for an attempt"
        ),
        (
            ReconnectPolicy(attempts: 2, firstDelay: .seconds(Int64.max) * 10, factor: 1),
            "reconnects at most 2 times, after 9.223372036854776e+19 s; 20 s for an attempt"
        ),
    ]) func policiesArePrintedInWords(policy: ReconnectPolicy, words: String) {
        #expect("\(policy)" == words)
    }

    @Test(arguments: [
        (0, "UTC"), (7200, "UTC+2"), (-12_600, "UTC−3:30"), (20_700, "UTC+5:45"),
        (300, "UTC+0:05"), (Int.min, "UTC−2562047788015215:30"),
    ]) func clocksArePrintedInWords(offset: Int, words: String) {
        let since = CivilDateTime(secondsSince1970: 1_767_225_600)
        let shift = ClockShift(days: -3, lowestSeconds: -300_000, highestSeconds: -200_000)
        #expect("\(RingClock(secondsFromUTC: offset, wasSet: false))" == "assumed to be \(words)")
        let set = RingClock(secondsFromUTC: offset, wasSet: true, since: since, shift: shift)
        #expect(
            "\(set)"
                == "\(words), set on 2026-01-01 at 00:00:00; the clock before was 3 days ahead")
    }

    @Test func optionsArePrintedInWords() {
        var options = RingOptions(clock: .leave(assuming: .secondsFromUTC(3600)))
        options.reconnect = .never
        options.daysReadBeforeClockChange = 0
        #expect(
            "\(options)"
                == "the clock is left alone, and assumed to show UTC+1; finding takes "
                + "20 s at most; connecting 60 s; does not reconnect")
        let left = "a clock that shows another day is left alone; "
        #expect("\(RingOptions())".hasPrefix("the clock is set to local time; \(left)"))
        options = RingOptions(keepBeforeClockChange: { _ in })
        let kept = "7 days are kept before a clock that shows another day is set; "
        #expect("\(options)".hasPrefix("the clock is set to local time; \(kept)"))
    }

    /// A parameter that is dropped leaves a default, and a mixed one is in another's place.
    @Test func optionsAreMadeInOneExpression() {
        func values(_ options: Any) -> [String] {
            Mirror(reflecting: options).children.map { "\($0.label ?? "") \($0.value)" }
        }
        var rules = SessionRules()
        rules.attempts = 9
        let times = [1, 2, 3].map { Duration.seconds($0) }
        let (find, window, connect) = (times[0], times[1], times[2])
        let ring = RingOptions(
            clock: .leave, earlierClocks: [RingClock(secondsFromUTC: 0, wasSet: true)],
            earlierZone: .utc, language: .german, rules: rules, findTimeout: find,
            findWindow: window, connectTimeout: connect, reconnect: .never,
            keepBeforeClockChange: { _ in }, daysReadBeforeClockChange: 3, bufferLimit: 5,
            observer: { _ in })
        let sensor = HeartRateSensorOptions(
            findTimeout: find, findWindow: window, connectTimeout: connect, reconnect: .never,
            silenceTimeout: nil, bufferLimit: 5)
        let strip = LEDStripOptions(
            findTimeout: find, findWindow: window, connectTimeout: connect, reconnect: .never,
            frameInterval: .seconds(4), replyTimeout: .seconds(6), statusInterval: nil,
            bufferLimit: 5)
        let rows: [(made: Any, default: Any)] = [
            (ring, RingOptions()), (sensor, HeartRateSensorOptions()), (strip, LEDStripOptions()),
        ]
        for (made, usual) in rows {
            let kept = zip(values(made), values(usual)).filter { $0 == $1 }
            let wanted = zip(["findTimeout", "findWindow", "connectTimeout"], times)
            #expect(
                kept.isEmpty
                    && Set(values(made)).isSuperset(of: wanted.map { "\($0) \($1)" }), "\(made)")
        }
        #expect(strip.frameInterval == .seconds(4) && strip.replyTimeout == .seconds(6))
    }

    @Test func capabilitiesArePrintedInWords() {
        var capabilities = Capabilities()
        #expect("\(capabilities)".hasPrefix("not known: blood oxygen, stress"))
        capabilities.stress = true
        capabilities.bloodSugar = false
        #expect(
            "\(capabilities)".hasPrefix("has stress; lacks blood sugar; not known: blood oxygen"))
    }

    @Test func progressSaysItsStepAndKind() {
        let first = HistoryProgress(step: 3, count: 32, kind: .heartRate, daysAgo: 2)
        #expect("\(first)" == "3 of 32: heart rate, 2 days ago")
        let today = HistoryProgress(step: 4, count: 32, kind: .stress, daysAgo: 0)
        #expect("\(today)" == "4 of 32: stress, today")
        let all = HistoryProgress(step: 32, count: 32, kind: .totals, daysAgo: nil)
        #expect("\(all)" == "32 of 32: totals of today")
        let failure = HistoryFailure(
            kind: .heartRateVariability, daysAgo: 1, error: DeviceError(.disconnected))
        #expect(
            "\(failure)"
                == "heart-rate variability, 1 day ago: there is no link to the device.")
    }

    @Test func aHistorySaysItsCountsAndFailures() {
        let time = CivilDateTime(secondsSince1970: 1_767_225_600)
        var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: 0)
        history[.heartRate] = [TimedSample(time: time, minutes: 5, secondsFromUTC: 0, value: 62)]
        history.unsupported = [.workouts, .temperature]
        history.failures = [
            HistoryFailure(kind: .sleep, daysAgo: nil, error: DeviceError(.timedOut))
        ]
        let sentence = """
            today 2026-01-01; 1 of heart rate; not supported: temperature, workouts; \
            failed: sleep: the device did not answer.
            """
        #expect("\(history)" == sentence)
    }

    @Test func eventsAndStatesAreWords() throws {
        let activity = ActivityAmount(steps: 12, metres: 9, kilocalories: 0.5)
        #expect("\(Ring.Event.walked(activity))" == "walked: 12 steps, 9 m today")
        #expect("\(Ring.Event.stored(.bloodOxygen))" == "stored: blood oxygen")
        let frame = Battery.Reply(percent: 64, charging: .charging).frame
        let late = Ring.Event(.late(frame))
        #expect("\(late)" == "late: Battery.Reply(percent: 64 %, charging: charging)")
        #expect("\(ConnectionState.reconnecting(attempt: 2))" == "reconnecting, attempt 2")
    }

    @Test func aVirtualDeviceFitsOnALine() async throws {
        let bench = try await RingBench.connected()
        let state = try #require(bench.worn.state)
        #expect("\(state)" == "R10, 80 %, worn")
        #expect("\(bench.worn)" == "\(bench.ring.identity)")
        await bench.ring.disconnect()
    }

    @Test func aDiscoveryCannotMisuseATerminal() {
        let bell = Discovery(PeripheralIdentity("a\u{1B}"), name: "x\u{7}", rssi: -60)
        #expect("\(bell)" == "\"x\\x07\" (a\\x1B) at -60 dBm")
        #expect("\(Discovery(PeripheralIdentity("a")))" == "without a name (a)")
    }

    @Test func anErrorIsOneSentence() {
        let nobody = DeviceError(BLEError(.notFound, .connect))
        #expect(nobody.kind == .notFound)
        #expect("\(nobody)" == "no device was found.")
        let late = DeviceError(BLEError(.timedOut, .connect))
        #expect("\(late)" == "connecting took longer than allowed.")
        let off = DeviceError(BLEError(.bluetoothOff, .scan))
        #expect("\(off)" == "Bluetooth is switched off.")
        let refused = DeviceError(BLEError(.refused, .write, attError: .writeNotPermitted))
        #expect("\(refused)".hasPrefix("Bluetooth failed (writing failed: "))
        #expect("\(refused)".hasSuffix("trying again will not help)."))
    }

    @Test func aDeviceSaysItsIdentityAndState() async throws {
        let bench = try await RingBench.connected()
        #expect("\(bench.ring)" == "ring \(bench.ring.identity), connected")
        await bench.ring.disconnect()
        #expect("\(bench.ring)".hasPrefix("ring \(bench.ring.identity), disconnected: "))
    }

    @Test func everyKindOfErrorHasWordsOfItsOwn() {
        let kinds: [DeviceError.Kind] = [
            .bluetooth, .notFound, .wrongDevice, .disconnected, .timedOut, .badReply,
            .notSupported, .cancelled, .replaced, .overloaded, .badValue, .noData, .silent,
            .bluetoothOff, .unauthorized, .notWorn, .uncertainDay,
        ]
        #expect(Set(kinds.map(\.description)).count == kinds.count)
        #expect("\(DeviceError.Kind.disconnected)" == "there is no link to the device")
        #expect(!kinds.map(\.description).contains("something went wrong"))
    }

    @Test func aLevelIsAPercentage() throws {
        #expect("\(try BatteryLevel(percent: 80))" == "80 %")
        #expect("\(try BatteryLevel(decoding: [200]))" == "reserved (200)")
    }

    @Test func bytesAreHexadecimal() {
        #expect("\(InlineBytes(prefix: [3, 64]))" == "[03 40]")
        #expect("\(InlineBytes())" == "[]")
    }
}
