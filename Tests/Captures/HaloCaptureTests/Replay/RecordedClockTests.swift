import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The tag `clock:` of a recording, for a replay.
@Suite(.computes) struct RecordedClockTests {
    private static func clock(_ text: String) throws -> WallClock? {
        RecordedConversations(try Capture(reading: "# clock: \(text)\n")).clock
    }

    /// An invalid offset from UTC is ignored.
    @Test(
        arguments: [
            ("", 0), (" +00:00", 0), (" +00:01", 60), (" +08:00", 28_800), (" -00:59", -3_540),
            (" +05:59", 21_540), (" +08:60", 0), (" +14:00", 50_400), (" -14:59", -53_940),
            (" +15:00", 0), (" -15:00", 0), (" 08:00", 0), (" +08", 0), (" +08:00:00", 0),
            (" +x:30", 0), (" +08:x", 0), (" +-1:30", 0), (" *08:00", 0), (" +01:00 more", 3_600),
        ] as [(String, Int)])
    func theOffsetIsReadWhereItCanBeOne(text: String, seconds: Int) throws {
        let local = CivilDateTime(secondsSince1970: 1_765_493_655)
        #expect(
            try Self.clock("2025-12-11 22:54:15" + text)
                == WallClock(local: local, secondsFromUTC: seconds))
    }

    /// Fractions of a second, and any text after the seconds, are ignored.
    @Test(
        arguments: [
            ("2025-12-11 22:54:15.999", 1_765_493_655), ("2025-12-11 22:54:15:9", 1_765_493_655),
            ("2025-12-11 22:54:0015", 1_765_493_655), ("1970-1-1 0:0:0", 0),
            ("1970-01-02 23:59:59", 172_799),
        ] as [(String, UInt32)])
    func theTimeIsRead(text: String, seconds: UInt32) throws {
        let local = CivilDateTime(secondsSince1970: seconds)
        #expect(try Self.clock(text) == WallClock(local: local, secondsFromUTC: 0))
    }

    @Test(arguments: [
        "2025-12-11", "22:54:15", "2025-12 22:54:15", "2025-12-11-01 22:54:15",
        "2025-12-11 22:54", "x-12-11 22:54:15", "2025-x-11 22:54:15", "2025-12-x 22:54:15",
        "2025-12-11 x:54:15", "2025-12-11 22:x:15", "2025-12-11 22:54:x", "2025-13-11 22:54:15",
        "2025-12-32 22:54:15", "2025-12-11 24:54:15", "2025-12-11 22:60:15",
        "2025-12-11 22:54:60", "2025-12-11 22:54:00015",
    ])
    func anythingElseIsNoClock(text: String) throws {
        #expect(try Self.clock(text) == nil)
    }

    @Test func tagsAreTheFirstOfTheirKindBeforeTheFirstRequest() throws {
        let capture = try Capture(
            reading: "# name: one\n# name: two\n# Not: a tag\n< ffe1 01\n# device: R02\n"
                + "> ffe1 02\n# clock: 2025-12-11 22:54:15\n")
        let recorded = RecordedConversations(capture)
        #expect(recorded.tags == ["name": "one", "device": "R02"])
        #expect(recorded.clock == nil)
    }
}
