import HaloProtocol
import Testing

@testable import HaloCapture

/// Open lists of constants: no two of them have the same code or the same text.
@Suite struct CaptureKindTests {
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
