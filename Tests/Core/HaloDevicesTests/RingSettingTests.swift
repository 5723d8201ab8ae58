import Foundation
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// Settings as values of an app: what is written is read again, and what cannot be sent is refused.
@Suite(.passesTime) struct RingSettingTests {
    /// A ring that has every setting.
    private let bench: RingBench
    private var ring: Ring { bench.ring }

    init() async throws { bench = try await RingBench.connected(.r12) }

    private static func readsBack<Value: Equatable & Sendable>(
        _ setting: RingSetting<Value>, _ value: Value, on ring: Ring
    ) async throws -> Bool {
        try await ring.set(setting, to: value)
        return try await ring.setting(setting) == value
    }

    @Test(arguments: [true, false])
    func switchesAreReadAsWritten(_ isOn: Bool) async throws {
        for setting in [RingSetting.stressLog, .heartRateVariabilityLog, .temperatureLog] {
            #expect(try await Self.readsBack(setting, isOn, on: ring))
        }
    }

    @Test func measuringIsReadAsWritten() async throws {
        try await ring.set(
            .heartRateLog, to: HeartRateLogging(isOn: true, interval: .seconds(1200)))
        let logging = try await ring.setting(.heartRateLog)
        #expect(logging.isOn && logging.interval == .seconds(1200))
        for (seconds, rounded) in [(299, 300), (329, 300), (330, 360)] {
            try await ring.set(
                .heartRateLog, to: HeartRateLogging(isOn: false, interval: .seconds(seconds)))
            let off = try await ring.setting(.heartRateLog)
            #expect(!off.isOn && off.interval == .seconds(rounded), "rounded to minutes")
        }
        try await ring.set(.bloodOxygenLog, to: BloodOxygenLogging(isOn: false))
        #expect(try await ring.setting(.bloodOxygenLog).isOn == false)
    }

    @Test func theWearerAndTheGoalsAreReadAsWritten() async throws {
        let goals = DailyGoals(
            steps: 70_000, kilocalories: 412.5, metres: 9_001, sport: .seconds(1800),
            sleep: .seconds(8 * 3600))
        #expect(try await Self.readsBack(.goals, goals, on: ring))
        let none = DailyGoals(steps: 0, kilocalories: 0, metres: 0)
        #expect(try await Self.readsBack(.goals, none, on: ring))
    }

    @Test func theScreenAndTheControlsAreReadAsWritten() async throws {
        let night = DailyHours(
            from: try CivilTime(hour: 22, minute: 30), to: try CivilTime(hour: 6, minute: 0))
        let screen = DisplaySettings(
            isOn: true, hand: .right, brightness: 3, isAllDay: false, hours: night)
        #expect(try await Self.readsBack(.display, screen, on: ring))
        #expect(
            try await Self.readsBack(
                .touch, TouchControl(.music, sleepsAfter: .seconds(120)), on: ring))
        #expect(try await Self.readsBack(.gesture, GestureControl(.camera, strength: 7), on: ring))
    }

    @Test func aProfileIsWrittenInItsFields() async throws {
        let setting = WearerProfile(
            sex: .female, ageYears: 35, heightCentimetres: 171, weightKilograms: 64,
            bloodPressure: BloodPressure(systolic: 118, diastolic: 76), warningBeatsPerMinute: 170,
            uses24HourClock: false, usesMetricUnits: false)
        try await bench.ring.set(.wearer, to: setting)
        let read = try await bench.ring.setting(.wearer)
        #expect(read == setting)
    }

    /// The fields of the ring after a write: two fields may be swapped in both directions, and
    /// round trips would not show it.
    @Test func valuesAreInTheFieldsOfTheirNames() async throws {
        try await ring.set(
            .goals,
            to: DailyGoals(
                steps: 1, kilocalories: 0.002, metres: 3, sport: .seconds(240),
                sleep: .seconds(300)))
        #expect(
            try await ring.ask(SettingRequest<Goals>.read).value?.reading
                == Goals.Setting(
                    steps: 1, smallCalories: 2, metres: 3, sportMinutes: 4, sleepMinutes: 5)
        )
        try await ring.set(
            .wearer,
            to: WearerProfile(
                sex: .female, ageYears: 35, heightCentimetres: 171, weightKilograms: 64,
                bloodPressure: BloodPressure(systolic: 118, diastolic: 76),
                warningBeatsPerMinute: 170, uses24HourClock: false))
        #expect(
            try await ring.ask(SettingRequest<UserPreferences>.read).value?.reading
                == UserPreferences.Setting(
                    clock: .hours12, sex: .female, ageYears: 35, heightCentimetres: 171,
                    weightKilograms: 64, systolicMillimetresOfMercury: 118,
                    diastolicMillimetresOfMercury: 76, warningBeatsPerMinute: 170,
                    heartRateWarningEnabled: .on))
        let (start, end) = (try CivilTime(hour: 22, minute: 30), try CivilTime(hour: 6, minute: 1))
        try await ring.set(
            .display,
            to: DisplaySettings(
                isOn: true, hand: .right, brightness: 3, isAllDay: false,
                hours: DailyHours(from: start, to: end)))
        #expect(
            try await ring.ask(Display.Request.read).value?.reading
                == Display.Setting(
                    isOn: true, hand: .right, brightness: 3, allDay: .no,
                    period: DailyPeriod(from: start, to: end)))
        try await ring.set(.touch, to: TouchControl(.music, sleepsAfter: .seconds(120)))
        #expect(
            try await ring.ask(TouchGesture.Request.read(.touch)).value?.reading
                == .init(.touch, TouchGesture.Setting(.music, parameter: 2)))
    }

    private static let impossible: [@Sendable (Ring) async throws -> Void] = [
        { try await $0.set(.heartRateLog, to: HeartRateLogging(isOn: true, interval: .zero)) },
        {
            try await $0.set(
                .heartRateLog, to: HeartRateLogging(isOn: true, interval: .seconds(256 * 60)))
        },
        { try await $0.set(.goals, to: DailyGoals(steps: -1, kilocalories: 1, metres: 1)) },
        { try await $0.set(.goals, to: DailyGoals(steps: 1 << 24, kilocalories: 1, metres: 1)) },
        { try await $0.set(.goals, to: DailyGoals(steps: 1, kilocalories: .nan, metres: 1)) },
        { try await $0.set(.display, to: DisplaySettings(isOn: true, hand: nil, brightness: 6)) },
        { try await $0.set(.gesture, to: GestureControl(.camera, strength: 0)) },
        { try await $0.set(.touch, to: TouchControl(.music, sleepsAfter: .seconds(-60))) },
        {
            try await $0.set(
                .wearer,
                to: WearerProfile(
                    sex: nil, ageYears: 35, heightCentimetres: 300, weightKilograms: 64))
        },
        {
            let text = #"{"isOn":true,"interval":[9223372036854775807,0]}"#
            let logging = try JSONDecoder().decode(HeartRateLogging.self, from: Data(text.utf8))
            try await $0.set(.heartRateLog, to: logging)
        },
        {
            let huge = Duration.seconds(Int64.min) * 10
            let goals = DailyGoals(steps: 1, kilocalories: 1, metres: 1, sleep: huge)
            try await $0.set(.goals, to: goals)
        },
        { _ = try await $0.log(.heartRate, daysAgo: -1) },
        { _ = try await $0.log(.heartRate, daysAgo: 256) },
    ]

    @Test(arguments: impossible.indices)
    func whatCannotBeSentIsRefusedWithItsLimits(_ index: Int) async throws {
        let error = await #expect(throws: DeviceError.self) {
            try await Self.impossible[index](ring)
        }
        #expect(error?.kind == .badValue)
        #expect(error?.valueError != nil)
    }

    /// The unit is in the name of the field, and the value has that unit.
    @Test func limitsHaveAUnit() async throws {
        let second = HeartRateLogging(isOn: true, interval: .seconds(7))
        let past = HeartRateLogging(isOn: true, interval: .seconds(-90))
        func logging(_ value: HeartRateLogging) async -> ValueError? {
            await #expect(throws: DeviceError.self) {
                try await ring.set(.heartRateLog, to: value)
            }?.valueError
        }
        #expect(
            await logging(second) == ValueError("intervalMinutes", allowed: 1...255, found: 0))
        #expect(
            await logging(past) == ValueError("intervalMinutes", allowed: 1...255, found: -1))
        for (kilocalories, found) in [(16_777.3, 16_778), (-0.4, -1), (.nan, .max)]
            as [(Double, Int64)]
        {
            let error = await #expect(throws: DeviceError.self) {
                try await ring.change(.goals) { $0.set(\.kilocalories, to: kilocalories) }
            }
            #expect(
                error?.valueError
                    == ValueError("kilocalories", allowed: 0...16_777, found: found))
        }
    }

    @Test func aRefusalNamesItsCommand() async throws {
        let error = await #expect(throws: DeviceError.self) {
            _ = try await ring.setting(.doNotDisturb)
        }
        #expect(error?.kind == .notSupported)
        #expect(error?.command == DoNotDisturb.name)
    }

    /// An R12 does not refuse this setting: it sends bytes that mean nothing.
    @Test func bytesWithoutAMeaningAreNoSetting() async throws {
        let error = await #expect(throws: DeviceError.self) {
            _ = try await ring.setting(.bloodPressureLog)
        }
        #expect(error?.kind == .notSupported && error?.command == BloodPressureSetting.name)
    }
}
