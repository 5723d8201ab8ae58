import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

/// The findings of a check of a capture.
@Suite(.computes) struct CaptureCheckTests {
    private static let fixtures = FixtureFolder()

    private static func check(_ text: String) throws -> CaptureCheck {
        CaptureCheck(try Capture(reading: text))
    }

    private static let battery = "03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51"
    private static let ask = "03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03"

    private static let head = "> uart \(ask)\n< uart \(battery)\n"

    private func kinds(_ text: String) throws -> [CaptureFinding.Kind] {
        try Self.check(text).findings.map(\.kind)
    }

    @Test func recordedSessionsAreClean() throws {
        let sync = CaptureCheck(try Self.fixtures.capture("Sessions/QRingR12Sync.halo"))
        #expect(sync.isClean, "\(sync)")
        #expect(sync.counts.requests == 84 && sync.counts.completed == 84)
        // The write of a nickname was left out of the transcript, its answer was not.
        #expect(sync.findings.map(\.kind) == [.unsolicited])
        #expect(sync.findings.map(\.line) == [107])
        let workout = CaptureCheck(try Self.fixtures.capture("Sessions/R10Workout.halo"))
        #expect(workout.findings == [] && workout.counts.completed == 4)
    }

    @Test func aFileIsCheckedByItsPath() throws {
        let path = Self.fixtures.path("Sessions/R10Workout.halo")
        #expect(try CaptureCheck(contentsOf: path).isClean)
        #expect(throws: CaptureFileError.self) { try CaptureCheck(contentsOf: "/nowhere.halo") }
    }

    @Test func anotherReadingIsADifference() throws {
        let reading = "Battery.Reply(percent: 78 %, charging: discharging)"
        #expect(try kinds(Self.head + "= \(reading)\n") == [])
        let check = try Self.check(Self.head + "= Battery.Reply(percent: 7 %)\n")
        #expect(check.findings.map(\.kind) == [.reading])
        #expect(check.findings[0].line == 2)
        #expect(check.findings[0].text.contains(reading))
        #expect(check.findings[0].packet?.bytes.first == 3)
        #expect(!check.isClean)
        #expect(try kinds(Self.head + "! something\n") == [.reading])
    }

    @Test func aBrokenPacketIsADifferenceUnlessTheFileHasItsError() throws {
        let broken = Self.battery.dropLast(2) + "52"
        let text = "< uart \(broken)\n"
        #expect(try kinds(text) == [.unreadable])
        let says = "! checksum at byte 15: expected 51, found 52.\n"
        #expect(try kinds(text + says) == [])
        let declared = try Self.check("# exception: it is broken on purpose\n" + text)
        #expect(declared.isClean && declared.declaredCount == 1)
        #expect(declared.findings[0].exception == "it is broken on purpose")
    }

    @Test func refusalsAreCountedAmongAnswers() throws {
        let no = HexText.bytes(Array(Refusal(of: Battery.opcode).frame.bytes), separator: " ")
        let check = try Self.check("> uart \(Self.ask)\n< uart \(no)\n+ 1s\n" + Self.head)
        #expect(check.counts.completed == 2 && check.counts.refusals == 1)
        #expect(try Self.check(Self.head).counts.refusals == 0)
    }

    /// Reports of a ring are counted; an unsolicited reply is a note.
    @Test func reportsAreCountedAndStraysAreNoted() throws {
        let report = HexText.bytes(
            Array(RealtimeMeasurement.Reply(.heartRate, value: 61).frame.bytes), separator: " ")
        let push = HexText.bytes(
            RingNotification.Reply(.event(Reported(.heartRateStored))).frame.bytes, separator: " ")
        let text = "< uart \(report)\n< uart \(push)\n< uart \(report)\n"
        let check = try Self.check(Self.head + text)
        #expect(check.findings == [] && check.counts.reports == 3)
        #expect(check.counts.requests == 1 && check.counts.completed == 1)
        let stray = try Self.check(text + "< uart \(Self.battery)\n")
        #expect(stray.counts.reports == 3 && stray.counts.unsolicited == 1)
        #expect(stray.findings.map(\.kind) == [.unsolicited])
    }

    @Test func anExceptionMustBeOne() throws {
        let check = try Self.check("# exception: why not\n" + Self.head)
        #expect(check.findings.map(\.kind) == [.needlessException])
        #expect(!check.isClean)
    }

    @Test func unansweredRequestsAreNotes() throws {
        let check = try Self.check("> uart \(Self.ask)\n+ 1s\n> uart \(Self.ask)\n")
        #expect(check.findings.map(\.kind) == [.unanswered, .unanswered])
        #expect(check.isClean && check.counts.unanswered == 2)
    }

    /// A client with a small MTU writes a record in pieces.
    @Test func aRequestMayBeWrittenInPieces() throws {
        let check = try Self.check(
            """
            > bigdata BC 41 04 00 00 24
            > bigdata 00 00
            > bigdata 00 00
            < bigdata BC 42 01 00 BF 40 00

            """)
        #expect(check.counts.requests == 1 && check.counts.completed == 1)
        #expect(check.findings == [])
    }

    @Test func aRequestThatIsCutOffSwallowsNoOther() throws {
        let check = try Self.check(
            """
            > bigdata BC 41 FF 0F 00 24
            > bigdata BC 41 04 00 00 24 00 00 00 00
            < bigdata BC 42 01 00 BF 40 00

            """)
        #expect(check.counts.requests == 1 && check.counts.completed == 1)
    }

    @Test func aPartThatIsMissingIsANote() throws {
        let log = try Self.fixtures.capture("Sessions/QRingR12Sync.halo").lines
        let parts = log.compactMap(\.packet).filter {
            $0.channel == .uart && $0.bytes[0] == HeartRateLog.opcode
        }
        let first = try #require(parts.firstIndex { $0.direction == .toDevice })
        var lines = parts[first..<(first + 25)].map { CaptureLine.packet($0) }
        #expect(CaptureCheck(try Capture(lines)).counts.completed == 1)
        lines.remove(at: 7)
        let check = CaptureCheck(try Capture(lines))
        #expect(check.findings.map(\.kind) == [.incomplete], "\(check)")
        #expect(check.isClean)
    }

    @Test func eachConnectionHasAnswersOfItsOwn() throws {
        let text = """
            > left/uart \(Self.ask)
            > right/uart \(Self.ask)
            < left/uart \(Self.battery)
            < right/uart \(Self.battery)

            """
        let check = try Self.check(text)
        #expect(check.findings == [])
        #expect(check.counts.completed == 2 && check.counts.connections == 2)
    }

    @Test func heartRatesGoThroughTheirSession() throws {
        let check = try Self.check("< 2a37 16 3D EB 03\n+ 1s\n< 2a37 16 3D FF 03\n< 2a37 06\n")
        #expect(check.counts.measurements == 2 && check.counts.beats == 2)
        #expect(check.findings.map(\.kind) == [.unreadable])
    }

    @Test func unknownCharacteristicsStay() throws {
        let check = try Self.check("> ffe1 01 02\n< ffe1 03\n")
        #expect(check.findings == [] && check.counts.unknown == 2)
    }

    @Test func findingsHaveBounds() throws {
        let broken = "< uart 00\n"
        let count = 3 * CaptureCheck.findingLimit
        let check = try Self.check(String(repeating: broken, count: count))
        #expect(check.findings.count == CaptureCheck.findingLimit)
        #expect(check.differenceCount == count)
        #expect(check.droppedCount == count - CaptureCheck.findingLimit)
    }

    @Test func annotatedCapturesAreClean() throws {
        for path in ["Sessions/QRingR12Sync.halo", "Sessions/R10Workout.halo"] {
            let capture = try Self.fixtures.capture(path)
            // The readings that stand there are those of today.
            #expect(try CaptureReadings(capture).annotated() == capture)
        }
        let pieces = "< bigdata BC 27 02 00 C0\n+ 1ms\n< bigdata 70 00 01\n"
        let annotated = try CaptureReadings(Capture(reading: pieces)).annotated()
        #expect(annotated.lines.count == 4)
        #expect(CaptureReadings(annotated).all.map(\.line) == [3])
    }

    /// A capture that is cut anywhere can be checked.
    @Test func everyBeginningOfACaptureCanBeChecked() throws {
        let text = Array(try Self.fixtures.capture("Sessions/R10Workout.halo").text.utf8)
        for length in stride(from: 0, through: text.count, by: 3) {
            var reader = CaptureReader()
            try? reader.read(text[..<length])
            let check = CaptureCheck(reader.capture)
            #expect(check.counts.packets <= 16)
        }
    }
}
