import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// Open lists of constants: no two of them have the same code or the same text.
@Suite(.computes) struct CaptureKindTests {
    private func expectApart<Kind: Hashable & CustomStringConvertible>(
        _ kinds: [Kind], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(kinds).count == kinds.count, sourceLocation: location)
        #expect(Set(kinds.map(\.description)).count == kinds.count, sourceLocation: location)
    }

    @Test func errorsOfCapturesAreApart() {
        let kinds: [CaptureError.Kind] = [
            .notText, .controlCharacter, .lineTooLong, .fileTooLong, .unfinishedLine, .unknownLine,
            .unknownVersion, .misplacedVersion, .missingSpace, .missingWord, .extraWord,
            .unknownEvent, .unknownChannel, .wrongName, .notUUID, .notNumber, .outOfRange, .notByte,
            .tooManyBytes, .declaredTwice, .notDeclarable, .withoutPacket, .contradiction,
            .unknownProperty, .tooManyNames,
        ]
        expectApart(kinds)
    }

    @Test func failuresOfRecordingsAreApart() {
        let kinds: [RecordingFailure.Kind] = [.file, .overloaded, .tooLong]
        expectApart(kinds)
        #expect(RecordingLimits().byteCount == 1_048_576 && RecordingLimits().age == nil)
        #expect(RecordingLimits(byteCount: -1).byteCount == 0)
        let limits = CaptureReader.Limits(lineLength: -1, length: -1, lineCount: -1)
        #expect(limits.lineLength == 0 && limits.length == 0 && limits.lineCount == 0)
    }

    @Test func countsBeginAtZero() {
        let counts = CaptureCheck(Capture()).counts
        let all = [
            counts.packets, counts.decoded, counts.refused, counts.unknown, counts.longReplies,
            counts.requests, counts.completed, counts.refusals, counts.unanswered,
            counts.incomplete, counts.reports, counts.unsolicited, counts.measurements,
        ]
        #expect(all.allSatisfy { $0 == 0 } && counts.beats == 0)
    }

    // MARK: Text

    /// The value of a tag, and the connection at its end.
    @Test(
        arguments: [
            ("R02 on left", "R02 left"), (" on left", " left"), ("on on left", "on left"),
            ("on left", nil), ("left", nil), ("", nil), ("R02 in left", nil), ("R02 on Left", nil),
        ] as [(String, String?)])
    func aTagEndsWithTheNameOfAConnection(text: String, parts: String?) {
        #expect(CaptureText.split(text).map { "\($0.value) \($0.link)" } == parts)
    }

    @Test(arguments: [
        ("\u{1F}", true), (" ", false), ("~", false), ("\u{7F}", true), ("\u{A0}", false),
        ("é", false), ("\u{2028}", true), ("\u{202E}", true), ("\u{3164}", true),
        ("❤\u{FE0F} Mia", false), ("Mia\u{FE0F}", true),
    ])
    func aTextThatControlsTheTerminalIsEscaped(text: String, isEscaped: Bool) {
        #expect((CaptureText.harmless(text) != text) == isEscaped)
    }

    // MARK: Limits

    @Test(arguments: [(0, false), (1, true), (32, true), (33, false)])
    func aNameHasThirtyTwoCharactersAtMost(count: Int, isAllowed: Bool) {
        let text = String(repeating: "a", count: count)
        do throws(ValueError) {
            #expect(try CaptureName(text).text == text && isAllowed)
        } catch {
            #expect(!isAllowed && error.allowed == 1...32 && error.found == Int64(count))
        }
    }

    @Test(arguments: [(0, true), (2048, true), (2049, false)])
    func aPacketHasTwoKilobytesAtMost(count: Int, isAllowed: Bool) {
        let bytes = [UInt8](repeating: 1, count: count)
        do throws(ValueError) {
            #expect(try CapturePacket(.toDevice, .uart, bytes).bytes == bytes && isAllowed)
        } catch {
            #expect(!isAllowed && error.allowed == 0...2048 && error.found == Int64(count))
        }
    }

    @Test func linesThatMayNotFollowHaveTheirNumber() throws {
        for count in 0..<4 {
            var capture = Capture()
            for _ in 0..<count { try capture.append(.blank) }
            let error = CaptureError(.withoutPacket, line: count + 1, column: 1)
            #expect(throws: error) { try capture.append(.reading(CaptureText("Battery"))) }
            #expect(capture.lines.count == count)
        }
    }
}
