import HaloProtocol
import HaloTransport
import Testing

@testable import HaloCapture

/// The 29th of February, and the days beside it, in every text and file that names a day.
@Suite struct LeapDayTests {
    /// A day as it is written, and the seconds from 1970 to its midnight in UTC.
    struct Day: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: Int64

        init(_ text: String, _ seconds: Int64) {
            testDescription = text
            self.seconds = seconds
        }
    }

    static let days = [
        Day("2000-02-28", 951_696_000), Day("2000-02-29", 951_782_400),
        Day("2000-03-01", 951_868_800), Day("2023-02-28", 1_677_542_400),
        Day("2023-03-01", 1_677_628_800), Day("2024-02-28", 1_709_078_400),
        Day("2024-02-29", 1_709_164_800), Day("2024-03-01", 1_709_251_200),
        Day("2024-12-31", 1_735_603_200), Day("2025-01-01", 1_735_689_600),
        Day("2028-02-29", 1_835_395_200), Day("2100-02-28", 4_107_456_000),
        Day("2100-03-01", 4_107_542_400),
    ]
    static let noDays = ["2023-02-29", "2024-02-30", "2025-02-29", "2100-02-29"]

    private static let packed = "03520000000000000000000000000055"

    private func hexLine(_ time: String) -> TextSink {
        TextSink.read(Array("\(time) rx \(Self.packed)\n".utf8), HexLineParser())
    }

    @Test(arguments: days)
    func linesOfBytesNameIt(_ day: Day) {
        let noon = (day.seconds + 43_200) * 1_000_000
        for (time, hours) in [
            ("12:00:00", 0), ("12:00:00Z", 0), ("12:00:00+08:00", -8), ("00:30:00-11:30", 0),
            ("23:00:00+11:00", 0),
        ] as [(String, Int64)] {
            for separator in [" ", "T"] {
                let sink = hexLine(day.testDescription + separator + time)
                #expect(
                    sink.records.map(\.microseconds) == [noon + hours * 3_600_000_000],
                    "\(separator)\(time)")
            }
        }
    }

    @Test(arguments: days)
    func aLineBeforeTheOthersNamesIt(_ day: Day) {
        let text = """
            nRF Connect, \(day.testDescription)
            I\t23:59:59.900\tNotification received from 2a37, value: (0x) 00-48
            I\t00:00:00.100\tNotification received from 2a37, value: (0x) 00-49

            """
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        let midnight = (day.seconds + 86_400) * 1_000_000
        #expect(sink.records.map(\.microseconds) == [midnight - 100_000, midnight + 100_000])
    }

    @Test(arguments: days)
    func btmonNamesIt(_ day: Day) {
        let text = """
            > ACL Data RX: Handle 64 flags 0x02 dlen 10  #2 [hci0] \(day.testDescription) 06:00:00.5
                  ATT: Handle Value Notification (0x1b) len 5
                    Handle: 0x0022
                      Data: 010203

            """
        let sink = TextSink.read(Array(text.utf8), BtmonTextParser())
        #expect(sink.records.map(\.microseconds) == [(day.seconds + 21_600) * 1_000_000 + 500_000])
    }

    /// What a phone counted in microseconds is written as a day into the capture, and read again.
    @Test(arguments: days)
    func recordedFilesAreImportedWithIt(_ day: Day) throws {
        for second in [0, 1, 86_399] as [Int64] {
            var script = SnoopScript()
            script.time = (day.seconds + second) * 1_000_000
            script.connect()
            script.say(SnoopScript.conversation)
            let time = second == 0 ? "00:00:00" : second == 1 ? "00:00:01" : "23:59:59"
            let clock = "clock: \(day.testDescription) \(time) +00:00"
            let text = try ImportPasses.text(script.bytes)
            #expect(text.split(separator: "\n").contains("# \(clock)"), "\(text.prefix(200))")
            let report = try ImportPasses.survey(script.bytes)
            #expect(report.firstMicroseconds == (day.seconds + second) * 1_000_000)

            let wall = RecordedConversations(try Capture(reading: text)).clock
            #expect(wall?.utc.secondsSince1970 == UInt32(day.seconds + second))
        }
    }

    @Test(arguments: days)
    func packetLoggersAreImportedWithIt(_ day: Day) throws {
        let event: [UInt8] = [
            0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1,
            0x18, 0, 0, 0, 0x2A, 0, 5,
        ]
        let value: [UInt8] = [0x1B, 0x12, 0x00, 0x01]
        for order in [ByteOrder.big, .little] {
            var file = ContainersFile(order)
            let packets = [(1 as UInt8, event), (3, HCISamples.fromController(0x40, value))]
            for (type, packet) in packets {
                let bytes = Array(packet.dropFirst(type == 1 ? 0 : 1))
                file.putLogger(
                    type, bytes, seconds: UInt32(day.seconds + 86_399), microseconds: 999_999)
            }
            var options = ImportOptions()
            options.format = .packetLogger
            let text = try ImportPasses.text(file.bytes, options)
            #expect(text.contains("clock: \(day.testDescription) 23:59:59 +00:00"), "\(text)")
        }
    }

    @Test(arguments: days)
    func clocksOfCapturesNameIt(_ day: Day) {
        let midnight = day.seconds * 1_000_000
        #expect(CaptureClock.microseconds("\(day.testDescription) 00:00:00") == midnight)
        #expect(CaptureClock.microseconds("\(day.testDescription) 08:00:00 +08:00") == midnight)
        // The day before by the clock of Greenwich, and the day after.
        #expect(
            CaptureClock.microseconds("\(day.testDescription) 01:00:00 +02:00")
                == midnight - 3_600_000_000)
        #expect(
            CaptureClock.microseconds("\(day.testDescription) 23:30:00 -01:00")
                == midnight + 88_200_000_000)
    }

    /// What a clock on the wall is ahead of UTC: up to fourteen hours and the minutes of one more.
    @Test(arguments: [
        ("", 0), (" +00:00", 0), (" +08:00", 28_800), (" -01:30", -5_400), (" +05:45", 20_700),
        (" +14:59", 53_940), (" -14:59", -53_940), (" +15:00", 0), (" +08:60", 0), (" 08:00", 0),
        (" +8", 0), (" +08:00:00", 0), (" *08:00", 0),
    ])
    func aClockMaySayHowFarItIsFromUTC(_ offset: String, _ seconds: Int) throws {
        let text = "halo-capture 1\n# clock: 2024-02-29 12:00:00\(offset)\n"
        let clock = RecordedConversations(try Capture(reading: text)).clock
        #expect(clock?.secondsFromUTC == seconds)
        #expect(clock?.local.secondsSince1970 == 1_709_208_000)
    }

    @Test(arguments: noDays)
    func aDayThatIsNoneIsNotBelieved(_ day: String) throws {
        #expect(CaptureClock.microseconds("\(day) 00:00:00") == nil)
        let capture = try Capture(reading: "halo-capture 1\n# clock: \(day) 12:00:00\n")
        #expect(RecordedConversations(capture).clock == nil)
        #expect(hexLine("\(day) 12:00:00").records.allSatisfy { $0.microseconds == 0 })
        #expect(hexLine("[\(day) 12:00:00]").records.allSatisfy { $0.microseconds == 0 })
    }

    /// Moved by whole weeks, the clock still shows a day, and a time of day as before.
    @Test(arguments: days.filter { $0.seconds < 4_000_000_000 }, [1, 2, 3, 4, 5] as [UInt64])
    func scrubbingMovesItToAnotherDay(_ day: Day, seed: UInt64) throws {
        let text = "halo-capture 1\n# clock: \(day.testDescription) 22:54:15 +01:00\n"
        let scrubbed = try Capture(reading: text).scrubbed(seed: seed).capture
        let clocks = scrubbed.lines.compactMap { line -> Int64? in
            guard case .comment(let text) = line, text.tag == "clock" else { return nil }
            return CaptureClock.microseconds(text.tagged ?? "")
        }
        let before = (day.seconds + 78_855) * 1_000_000
        let week: Int64 = 7 * 86_400_000_000
        #expect(clocks.count == 1)
        for clock in clocks { #expect((clock - before) % week == 0 && clock != before) }
    }
}
