import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

/// Every capture in `Fixtures/Captures` is a test: its readings stay the same.
@Suite(.computes) struct CaptureFixtureTests {
    @Test func thereAreCaptures() {
        #expect(!FixtureFile.captures.isEmpty)
    }

    @Test(arguments: FixtureFile.captures)
    func isACaptureAsTheWriterWritesIt(_ file: FixtureFile) {
        if let error = file.error {
            Issue.record(
                "\(error)", sourceLocation: file.location(line: error.line, column: error.column))
            return
        }
        #expect(file.text == file.capture.text, "HALO_UPDATE_FIXTURES=1 swift test writes it anew")
    }

    @Test(arguments: FixtureFile.captures)
    func readsAsItSays(_ file: FixtureFile) {
        for reading in CaptureReadings(file.capture).all {
            let says = reading.stated ?? .reads([])
            guard says != reading.verdict else { continue }
            Issue.record(
                """
                The file says
                \(says.text)
                and the decoders
                \(reading.verdict.text)
                HALO_UPDATE_FIXTURES=1 swift test writes what the decoders say.
                """, sourceLocation: file.location(line: reading.line))
        }
    }

    @Test(arguments: FixtureFile.captures)
    func nothingDiffersThatItDoesNotDeclare(_ file: FixtureFile) {
        for finding in CaptureCheck(file.capture).findings
        where finding.severity == .difference && finding.exception == nil {
            Issue.record("\(finding)", sourceLocation: file.location(line: finding.line))
        }
    }

    @Test(arguments: FixtureFile.captures)
    func saysWhereItComesFrom(_ file: FixtureFile) {
        let tags = file.capture.lines.compactMap { line in
            if case .comment(let text) = line { text.tag } else { nil }
        }
        #expect(tags.contains("source"), sourceLocation: file.location(line: 1))
    }

    @Test func isNoticedWhenItIsReadInAnotherWay() throws {
        let capture = try Capture(
            reading: """
                < uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51
                = Battery.Reply(percent: 77 %, charging: discharging)

                """)
        let check = CaptureCheck(capture)
        #expect(check.findings.filter { $0.severity == .difference }.map(\.kind) == [.reading])
        #expect(!check.isClean)
    }
}
