import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Changes of parts of settings: the ring gets the other parts as it has sent them.
@Suite(.passesTime) struct RingSettingChangeTests {
    /// Runs a test with a ring that answers a request with bytes of the test's choice. Returns the
    /// written packets that begin with an opcode.
    private static func written(
        _ opcode: UInt8, _ profile: RingProfile = .r12, reading: [UInt8]? = nil,
        _ body: @escaping @Sendable (Ring) async throws -> Void
    ) throws -> [[UInt8]] {
        try virtually { air in
            let written = Box<[[UInt8]]>([])
            let worn = air.add(
                ScriptedRing(VirtualRing(profile, days: 0)) { bytes, _ in
                    guard bytes.first == opcode else { return nil }
                    written.change { $0.append(Array(bytes.prefix(15))) }
                    guard let reading, reading.prefix(2) == bytes.prefix(2) else { return nil }
                    let bytes = reading + Array(repeating: 0, count: 15 - reading.count)
                    return [bytes + [bytes.reduce(0, &+)]]
                })
            let ring = try await Ring.connect(to: worn.identity, over: air)
            try await body(ring)
            await ring.disconnect()
            return written.value
        }
    }

    /// An R10 reports an interval of blood oxygen.
    @Test func anIntervalIsWrittenAsItWasReadUnlessItChanges() throws {
        let written = try Self.written(AutoBloodOxygen.opcode, .r10) { ring in
            try await ring.change(.bloodOxygenLog) { $0.set(\.isOn, to: false) }
            try await ring.change(.bloodOxygenLog) { $0.set(\.interval, to: .minutes(20)) }
            try await ring.change(.bloodOxygenLog) { $0.set(\.isOn, to: true) }
        }
        #expect(
            written.filter { $0[1] == 2 }.map { Array($0[2...3]) } == [
                [0, 30], [0, 20], [1, 30],
            ])
    }

    @Test func aChangeIsOneWriteAfterOneRead() throws {
        let written = try Self.written(AutoHeartRate.opcode) { ring in
            try await ring.change(.heartRateLog) { $0.set(\.isOn, to: false) }
        }
        #expect(written.map { Array($0[1...3]) } == [[1, 0, 0], [2, 2, 5]])
    }

    /// A reading, a change, and the bytes that are written: in the reading, other fields have codes
    /// without a description, and numbers beyond the limits.
    private struct Edit: Sendable {
        let reading: [UInt8]
        let written: [UInt8]
        let make: @Sendable (Ring) async throws -> Void

        init<Value: Sendable>(
            _ setting: RingSetting<Value>, _ reading: [UInt8],
            _ change: @escaping @Sendable (inout SettingChange<Value>) -> Void, _ written: [UInt8]
        ) {
            self.reading = reading
            self.written = written
            make = { try await $0.change(setting, change) }
        }
    }

    private static let wearerRead: [UInt8] = [10, 1, 7, 8, 9, 20, 175, 70, 0, 80, 160, 0]
    private static let displayRead: [UInt8] = [5, 3, 7, 9, 7, 9, 7, 99, 98, 97, 96]

    private static func hours(
        _ start: (hour: Int, minute: Int), _ end: (hour: Int, minute: Int)
    ) throws -> DailyHours {
        DailyHours(
            from: try CivilTime(hour: start.hour, minute: start.minute),
            to: try CivilTime(hour: end.hour, minute: end.minute))
    }

    private static let measuring = [
        Edit(
            .heartRateLog, [0x16, 1, 1, 0, 0], { $0.set(\.isOn, to: false) }, [0x16, 2, 2, 0]),
        Edit(
            .heartRateLog, [0x16, 1, 9, 0, 5], { $0.set(\.interval, to: .minutes(10)) },
            [0x16, 2, 9, 10]),
        Edit(
            .bloodOxygenLog, [0x2C, 1, 0, 30], { $0.set(\.isOn, to: true) }, [0x2C, 2, 1, 30]),
        Edit(
            .bloodOxygenLog, [0x2C, 1, 9, 30], { $0.set(\.interval, to: .minutes(20)) },
            [0x2C, 2, 9, 20]),
        Edit(
            .bloodPressureLog, [12, 1, 9, 0, 0, 23, 0, 5],
            { $0.set(\.interval, to: .minutes(60)) }, [12, 2, 9, 0, 0, 23, 0, 60]),
    ]

    private static func controls() throws -> [Edit] {
        let (early, quiet) = (try hours((1, 2), (3, 4)), try hours((1, 0), (2, 0)))
        return [
            Edit(
                .display, displayRead, { $0.set(\.brightness, to: 3) },
                [5, 4, 7, 9, 3, 9, 7, 99, 98, 97, 96]),
            Edit(
                .display, displayRead, { $0.set(\.isOn, to: false) },
                [5, 4, 2, 9, 7, 9, 7, 99, 98, 97, 96]),
            Edit(
                .display, displayRead,
                {
                    $0.set(\.hand, to: .left)
                    $0.set(\.isAllDay, to: false)
                }, [5, 4, 7, 1, 7, 9, 1, 99, 98, 97, 96]),
            Edit(
                .display, displayRead, { $0.set(\.hours, to: early) },
                [5, 4, 7, 9, 7, 9, 7, 1, 2, 3, 4]),
            Edit(
                .gesture, [0x3B, 1, 1, 0, 0], { $0.set(\.app, to: .music) }, [0x3B, 2, 1, 1, 0]),
            Edit(
                .gesture, [0x3B, 1, 1, 0, 77], { $0.set(\.app, to: .off) }, [0x3B, 2, 1, 0, 77]),
            Edit(
                .touch, [0x3B, 1, 0, 3, 9], { $0.set(\.sleepsAfter, to: .minutes(5)) },
                [0x3B, 2, 0, 3, 5]),
            Edit(
                .doNotDisturb, [6, 1, 7, 22, 0, 7, 0, 1], { $0.set(\.hours, to: quiet) },
                [6, 2, 7, 1, 0, 2, 0]),
            Edit(
                .temperatureUnit, [0x19, 1, 0, 1], { $0.set(\.self, to: .celsius) },
                [0x19, 2, 0, 0]),
        ]
    }

    private static let wearer = [
        Edit(
            .wearer, wearerRead, { $0.set(\.ageYears, to: 30) },
            [10, 2, 7, 8, 9, 30, 175, 70, 0, 80, 160, 0]),
        Edit(
            .wearer, wearerRead,
            {
                $0.set(\.sex, to: .male)
                $0.set(\.uses24HourClock, to: true)
            }, [10, 2, 0, 8, 0, 20, 175, 70, 0, 80, 160, 0]),
        // The same heart rate, set: the warning is wanted.
        Edit(
            .wearer, wearerRead, { $0.set(\.warningBeatsPerMinute, to: 160) },
            [10, 2, 7, 8, 9, 20, 175, 70, 0, 80, 160, 1]),
        Edit(
            .wearer, wearerRead, { $0.set(\.warningBeatsPerMinute, to: nil) },
            [10, 2, 7, 8, 9, 20, 175, 70, 0, 80, 0, 0]),
    ]

    @Test func otherPartsAreWrittenAsTheyWereRead() throws {
        // A ring that has every setting.
        var profile = RingProfile.r12
        profile.commands = profile.commands.with(
            .answers, "made by hand", for: DoNotDisturb.opcode)
        profile.quirks.remove(.oddBloodPressureSetting)
        for edit in try Self.measuring + Self.controls() + Self.wearer {
            let packets = try Self.written(
                edit.written[0], profile, reading: edit.reading, edit.make)
            #expect(packets.count == 2, "one write after one read")
            let zeros = Array(repeating: 0 as UInt8, count: 15 - edit.written.count)
            #expect(packets.last == edit.written + zeros)
        }
    }

    /// An R12 has no blood pressure, and says so with bytes that mean nothing.
    @Test(
        arguments: [
            ([12, 1, 0x16, 0x28, 0, 12], .notSupported),
            ([12, 1, 0x16, 0x28, 0, 0x17], .notSupported),
            ([12, 1, 1, 0x28, 0, 12], .badReply),
        ] as [([UInt8], DeviceError.Kind)])
    func bytesThatAreNoHoursAreNoSetting(_ reading: [UInt8], _ expected: DeviceError.Kind) throws {
        _ = try Self.written(12, reading: reading) { ring in
            #expect(await kind { _ = try await ring.setting(.bloodPressureLog) } == expected)
            let change = await kind {
                try await ring.change(.bloodPressureLog) { $0.set(\.isOn, to: true) }
            }
            #expect(change == expected)
        }
    }
}
