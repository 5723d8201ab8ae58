import CaptureSupport
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The 29th of February and the adjacent days, in every text and file that contains a day.
@Suite(.computes) struct LeapDayTests {
    @Test(arguments: LeapDay.all)
    func clocksOfCapturesNameIt(_ day: LeapDay) {
        let midnight = day.seconds * 1_000_000
        #expect(WallClock(captureTag: "\(day.description) 00:00:00")?.microseconds == midnight)
        #expect(
            WallClock(captureTag: "\(day.description) 08:00:00 +08:00")?.microseconds
                == midnight)
        // The day before by the clock of Greenwich, and the day after.
        #expect(
            WallClock(captureTag: "\(day.description) 01:00:00 +02:00")?.microseconds
                == midnight - 3_600_000_000)
        #expect(
            WallClock(captureTag: "\(day.description) 23:30:00 -01:00")?.microseconds
                == midnight + 88_200_000_000)
    }

    /// The offset of a wall clock from UTC: up to fourteen hours and 59 minutes.
    @Test(arguments: [
        ("", 0), (" +00:00", 0), (" +08:00", 28_800), (" -01:30", -5_400), (" +05:45", 20_700),
        (" +14:59", 53_940), (" -14:59", -53_940), (" +15:00", 0), (" +08:60", 0), (" 08:00", 0),
        (" +8", 0), (" +08:00:00", 0), (" *08:00", 0),
    ])
    func aClockMayHaveAnOffsetFromUTC(_ offset: String, _ seconds: Int) throws {
        let text = "halo-capture 2\n# clock: 2024-02-29 12:00:00\(offset)\n"
        let clock = RecordedConversations(try Capture(reading: text)).clock
        #expect(clock?.secondsFromUTC == seconds)
        #expect(clock?.local.secondsSince1970 == 1_709_208_000)
    }

    @Test(arguments: LeapDay.none)
    func aDayThatIsNoneIsNotBelieved(_ day: String) throws {
        #expect(WallClock(captureTag: "\(day) 00:00:00")?.microseconds == nil)
        let capture = try Capture(reading: "halo-capture 2\n# clock: \(day) 12:00:00\n")
        #expect(RecordedConversations(capture).clock == nil)
    }

    /// A shift by whole weeks leaves a valid day, and the same time of day.
    @Test(
        arguments: LeapDay.all.filter { $0.seconds < 4_000_000_000 }, [1, 2, 3, 4, 5] as [UInt64])
    func scrubbingMovesItToAnotherDay(_ day: LeapDay, seed: UInt64) throws {
        let text = "halo-capture 2\n# clock: \(day.description) 22:54:15 +01:00\n"
        let scrubbed = try Capture(reading: text).scrubbed(seed: seed).capture
        let clocks = scrubbed.lines.compactMap { line -> Int64? in
            guard case .comment(let text) = line, text.tag == "clock" else { return nil }
            return WallClock(captureTag: text.tagged ?? "")?.microseconds
        }
        let before = (day.seconds + 78_855) * 1_000_000
        let week: Int64 = 7 * 86_400_000_000
        #expect(clocks.count == 1)
        for clock in clocks { #expect((clock - before) % week == 0 && clock != before) }
    }
}
