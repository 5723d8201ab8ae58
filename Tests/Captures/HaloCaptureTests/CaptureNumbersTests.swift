import CaptureSupport
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// Numbers from other documents: the Bluetooth specification, the specifications of file formats,
/// and this package's pages about its limits.
@Suite(.computes) struct CaptureNumbersTests {
    @Test func limitsAreThoseThatAreDocumented() {
        #expect(CaptureCheck.findingLimit == 1_000 && CaptureCheck.linkLimit == 64)
        #expect(RecordedConversations.generationLimit == 64)
        #expect(RecordedConversations.offerLimit == 65_536)
        #expect(ScrubReport.mostObscured == 100)
        #expect(ReplayTiming.largestFactor == 1_000)
        #expect(FileInput.pieceLength == 262_144)
        #expect(CapturePacket.maximumLength == 2_048 && CaptureName.maximumLength == 32)
        #expect(CaptureText.maximumLength == 65_534)
        #expect(CaptureReader.Limits.standard.lineLength == 65_536)
        #expect(CaptureReader.Limits.standard.length == 67_108_864)
        #expect(CaptureReader.Limits.standard.lineCount == 240_000)
        #expect(CaptureReader.Limits.streaming.lineLength == 65_536)
        #expect(CaptureReader.Limits.streaming.length == .max)
        #expect(CaptureEvent.mtuRange == 23...517)
        #expect(SeededIdentities.mostWanted == 1_000)
    }

    /// Core Specification, volume 1 part F.
    @Test func numbersAreThoseOfBluetooth() {
        #expect(ControllerReason.authenticationFailure == 5 && ControllerReason.timeout == 8)
        #expect(ControllerReason.remoteUser == 19 && ControllerReason.localHost == 22)
        #expect(ControllerReason.unspecified == 31 && ControllerReason.neverEstablished == 62)
    }

    /// The number of notes that are kept, and of those that are only counted. Differences have more
    /// room.
    @Test(arguments: [(500, 500, 0), (501, 500, 1), (600, 500, 100)])
    func notesHaveHalfTheRoom(count: Int, kept: Int, dropped: Int) throws {
        let stray = "< uart \(spaced(RingSamples.answer))\n"
        let text = String(repeating: stray, count: count)
        let check = CaptureCheck(try Capture(reading: text))
        #expect(check.noteCount == count && check.findings.count == kept)
        #expect(check.droppedCount == dropped && check.isClean)
        #expect(check.description.hasSuffix("\nfurther findings: \(dropped)") == (dropped > 0))
        #expect(check.counts.unsolicited == count)
        // Differences come first, and leave room for no note.
        let both = CaptureCheck(
            try Capture(reading: text + String(repeating: "< uart 00\n", count: 500)))
        #expect(both.differenceCount == 500 && both.noteCount == count)
        #expect(both.findings.count == 500)
        #expect(both.droppedCount == count)
    }

    @Test(arguments: [(64, 64), (65, 64)])
    func sixtyFourConnectionsGoThroughSessions(count: Int, checked: Int) throws {
        let text = (1...count).map {
            "> link-\($0)/uart \(spaced(RingSamples.question))\n"
                + "< link-\($0)/uart \(spaced(RingSamples.answer))\n"
        }.joined()
        let check = CaptureCheck(try Capture(reading: text))
        #expect(check.counts.connections == checked && check.counts.requests == checked)
        #expect(check.counts.completed == checked && check.counts.packets == 2 * count)
    }

    /// The summary has singulars and plurals.
    @Test func aSummaryCountsInWords() throws {
        let question = "> uart \(spaced(RingSamples.question))\n"
        let answer = "< uart \(spaced(RingSamples.answer))\n"
        func summary(_ text: String) throws -> String {
            CaptureCheck(try Capture(reading: text)).summary
        }
        #expect(
            try summary("")
                == "0 packets, 0 decoded, 0 refused, 0 unknown, 0 differences, 0 declared")
        #expect(
            try summary("> ffe1 01\n")
                == "1 packet, 0 decoded, 0 refused, 1 unknown, 0 differences, 0 declared")
        #expect(
            try summary(question + answer)
                == "2 packets, 2 decoded, 0 refused, 0 unknown, 1 request, 1 completed, "
                + "0 unanswered, 0 incomplete, 0 reports, 0 unsolicited, 0 differences, "
                + "0 declared")
        #expect(
            try summary("< 2a37 10 3D 00 04\n< uart 00\n")
                == "2 packets, 1 decoded, 1 refused, 0 unknown, 1 measurement, 1 beat, "
                + "1 difference, 0 declared")
    }
}
