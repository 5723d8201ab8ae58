import Foundation
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Stored values decode as they were encoded.
@Suite(.passesTime) struct CodableTests {
    private static let time = CivilDateTime(secondsSince1970: 1_767_225_600)

    private static func comesBack<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        let data = try JSONEncoder().encode([value])
        return try JSONDecoder().decode([Value].self, from: data) == [value]
    }

    private static var history: RingHistory {
        func samples<Value>(_ value: Value) -> [TimedSample<Value>] {
            [TimedSample(time: time, minutes: 5, secondsFromUTC: 3600, value: value)]
        }
        var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: nil)
        history[.heartRate] = samples(62)
        history[.activity] = samples(ActivityAmount(steps: 1, metres: 2, kilocalories: nil))
        history[.bloodOxygen] = samples(BloodOxygenRange(lowestPercent: 95, highestPercent: 97))
        history[.temperature] = samples(36.5)
        history[.sleep] = [
            SleepRecord(
                isNap: true, start: time, end: time, stages: samples(.rem), secondsFromUTC: 0)
        ]
        history[.workouts] = [
            WorkoutRecord(
                sport: .run, key: time, start: nil, secondsFromUTC: nil, duration: .seconds(90),
                metres: 4, kilocalories: nil, steps: nil, averageBeatsPerMinute: nil,
                lowestBeatsPerMinute: nil, highestBeatsPerMinute: nil)
        ]
        history.totals = ActivityTotals(
            steps: 9, runningSteps: 0, metres: 8, kilocalories: 0.5, activeTime: .seconds(60))
        history.failures = [
            HistoryFailure(kind: .stress, daysAgo: 1, error: DeviceError(.timedOut))
        ]
        history.unsupported = [.temperature]
        history.coverage[.stress, time.date] = .failed
        history.coverage[.heartRate, time.date] = .wrongClock
        history.clockShift = ClockShift(days: -3, lowestSeconds: -300_000, highestSeconds: -200_000)
        history.uncertainTimes = [time..<time.advanced(bySeconds: 60)]
        return history
    }

    @Test func historiesComeBack() throws {
        #expect(try Self.comesBack(Self.history))
    }

    @Test func liveValuesComeBack() throws {
        let beat = HeartBeat(
            number: 1, series: 1, interval: .seconds(1000) / 1024, time: .seconds(3))
        let measured = HeartRateSensor.Measurement(
            beatsPerMinute: 61, isTouchingSkin: true, energyKilojoules: 3,
            moment: .origin + .seconds(5), time: Self.time, secondsFromUTC: -7200, beats: [beat])
        #expect(try Self.comesBack(measured))
        let reading = HeartRateReading(beatsPerMinute: 61, beatInterval: .milliseconds(980))
        #expect(try Self.comesBack(reading))
        let check = HealthCheckReading(
            beatsPerMinute: 61, bloodPressure: BloodPressure(systolic: 120, diastolic: 80),
            beatInterval: nil)
        #expect(try Self.comesBack(check))
        let workout = WorkoutReport(
            state: .paused, elapsed: .seconds(9), beatsPerMinute: nil, steps: 4, metres: 0,
            kilocalories: 0)
        #expect(try Self.comesBack(workout))
        #expect(try Self.comesBack(RawSensorSample.acceleration(x: 0, y: -0.5, z: 1)))
        #expect(try Self.comesBack(Ring.Event.battery(BatteryCharge(percent: 3, isCharging: nil))))
        #expect(try Self.comesBack(Ring.Event.stored(.sleep)))
        #expect(try Self.comesBack(Ring.Event.touched(.swipeDown)))
        let reports: [LiveReport<HeartRateReading>] = [
            .warmingUp(beatInterval: .milliseconds(980)), .warmingUp(beatInterval: nil),
            .reading(reading), .notWorn, .other("words"), .interrupted, .missed(3),
        ]
        for report in reports { #expect(try Self.comesBack(report)) }
        let state = LEDStripState(
            isOn: nil, light: .animation(.redFade, speed: 2), lastColour: LEDColour(red: 9))
        #expect(try Self.comesBack(state))
    }

    @Test func errorsAndStatesComeBack() throws {
        let lost = BLEError(
            .disconnected, .write, uuid: BluetoothUUID(0x2A37), attError: .unlikely,
            disconnectReason: DisconnectReason(.outOfReach, details: "0x08"), details: "le-link")
        let errors = [
            DeviceError(lost), DeviceError(.refused, command: "HeartRateLog"),
            DeviceError(.timedOut, command: "Sleep", disconnectReason: DisconnectReason(.remote)),
        ]
        for error in errors { #expect(try Self.comesBack(error)) }
        let states: [ConnectionState] = [
            .connecting, .connected, .reconnecting(attempt: 3), .disconnected(errors[0]),
        ]
        for state in states { #expect(try Self.comesBack(state)) }
    }

    /// The names of fields are the program's own, so the details of a packet are not decoded.
    @Test func theDetailsOfAPacketAreLeftOut() throws {
        let error = DeviceError(ValueError("interval", allowed: 1...255, found: 300))
        let data = try JSONEncoder().encode(error)
        #expect(try JSONDecoder().decode(DeviceError.self, from: data) == DeviceError(.badValue))
        let unknown = Data(#"{"kind": "refused", "command": "NoSuchCommand"}"#.utf8)
        #expect(try JSONDecoder().decode(DeviceError.self, from: unknown) == DeviceError(.refused))
    }

    /// Programs store these texts.
    @Test func errorsAndStatesAreReadable() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let error = DeviceError(.notWorn, command: "RealtimeMeasurement")
        let coded = #"{"command":"RealtimeMeasurement","kind":"notWorn"}"#
        #expect(try text(error) == coded)
        #expect(
            try text(ConnectionState.disconnected(error))
                == #"{"error":\#(coded),"state":"disconnected"}"#)
        #expect(
            try text(ConnectionState.reconnecting(attempt: 2))
                == #"{"attempt":2,"state":"reconnecting"}"#)
    }

    @Test func servicesComeBack() throws {
        let service = GATTService(
            BluetoothUUID(0x180D),
            characteristics: [
                GATTCharacteristic(
                    AttributeID(3), BluetoothUUID(0x2A37), [.notify, .read],
                    permissions: [.readEncrypted],
                    descriptors: [GATTDescriptor(AttributeID(4), BluetoothUUID(0x2901))])
            ])
        #expect(try Self.comesBack(service))
    }

    @Test func clocksAndSettingsComeBack() throws {
        let clock = RingClock(secondsFromUTC: 3600, wasSet: true, since: Self.time)
        #expect(try Self.comesBack(clock))
        let shift = ClockShift(days: 2, lowestSeconds: 150_000, highestSeconds: 200_000)
        let changed = RingClock(secondsFromUTC: 0, wasSet: true, since: Self.time, shift: shift)
        #expect(try Self.comesBack(changed))
        // As stored by a program without differences of clocks.
        let text = #"{"secondsFromUTC":3600,"wasSet":true,"since":"2026-01-01T00:00:00"}"#
        #expect(try JSONDecoder().decode(RingClock.self, from: Data(text.utf8)) == clock)
        #expect(try Self.comesBack(ClockPolicy.leave(assuming: .secondsFromUTC(3600))))
        #expect(try Self.comesBack(ReconnectPolicy.never))
        #expect(try Self.comesBack(ReconnectPolicy.whenInReach))
        let hours = DailyHours(from: .midnight, to: try CivilTime(hour: 6, minute: 30))
        let screen = DisplaySettings(isOn: true, hand: .left, brightness: 2, hours: hours)
        #expect(try Self.comesBack(screen))
        #expect(try Self.comesBack(GestureControl(.camera, strength: 3)))
    }

    @Test func datesAndTimesAreTextOfISO8601() throws {
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        #expect(try json(Self.time) == "\"2026-01-01T00:00:00\"")
        #expect(try json(Self.time.date) == "\"2026-01-01\"")
        #expect(try json(CivilTime(hour: 7, minute: 5)) == "\"07:05:00\"")
    }

    @Test(arguments: [
        "", "T", "2026-01-01", "2026-13-01T00:00:00", "2026-02-30T00:00:00", "2026-01-01T24:00:00",
        "2026-1-1T00:00:00", "2026-01-01T00:00:00Z", "+026-01-01T00:00:00", "2026-01-01T00:00",
        "2026-01-01-01T00:00:00", "1969-12-31T23:59:59", "99999-01-01T00:00:00",
    ])
    func anyOtherTextIsRefused(_ text: String) throws {
        let data = try JSONEncoder().encode(text)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CivilDateTime.self, from: data)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CivilDate.self, from: JSONEncoder().encode(text + "x"))
        }
    }
}
