import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Open lists of constants, no two of which have the same text, and counts.
@Suite(.computes) struct TrafficKindTests {
    @Test func errorsOfTrafficAreApart() {
        let kinds: [TrafficError.Kind] = [
            .unknownFormat, .unknownVersion, .unknownContent, .truncated, .wrongLength,
            .recordTooLong, .malformed, .wrongEncoding, .empty, .tooMuch, .noConversation,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map { "\(TrafficError($0, at: 0))" }).count == kinds.count)
    }

    @Test func odditiesAreApart() {
        let oddities: [TrafficOddity] = [
            .shortPacket, .cutByRecorder, .timeBackwards, .strayFragment, .unfinishedPacket,
            .unknownPacket, .strayResponse, .unanswered, .wrongCRC, .repeated, .lostByRecorder,
            .encrypted, .otherBearer, .askedByDevice, .unknownLine, .beyondLimits, .longPacket,
            .classicLink, .undividedValues, .afterEnd,
        ]
        #expect(Set(oddities).count == oddities.count)
        #expect(Set(oddities.map(\.description)).count == oddities.count)
    }

    @Test func eachFormatHasARowOnThePage() throws {
        let page = try String(
            contentsOfFile: packagePath("Documentation/LogsAndFormats.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for format in TrafficFormat.allCases {
            #expect(
                rows.contains { $0.dropFirst(2).prefix { $0 != "|" }.contains("`\(format)`") },
                "\(format)")
        }
    }

    // MARK: Counts

    @Test func lengthsOfValuesAreCounted() {
        var count = ValueCount()
        #expect([count.count, count.shortest, count.longest] == [0, 0, 0])
        for (length, expected) in [
            (5, [1, 5, 5]), (9, [2, 5, 9]), (7, [3, 5, 9]), (2, [4, 2, 9]), (0, [5, 0, 9]),
            (3, [6, 0, 9]),
        ] {
            count.add(length)
            #expect([count.count, count.shortest, count.longest] == expected)
        }
    }

    @Test func sixtyFourValuesAreLookedAt() {
        var recogniser = TrafficRecogniser()
        for number in 1...70 {
            #expect(recogniser.needsMore == (number <= 64))
            recogniser.add(ContiguousArray<UInt8>([1, 2, 3]).span, .fromDevice)
        }
    }

    @Test func aReportsTimeIsFromItsFirstRecordToItsLatest() {
        var report = TrafficReport()
        #expect(report.microseconds == 0)
        report.firstMicroseconds = 10
        #expect(report.microseconds == 0)
        for (last, time) in [(10, 0), (11, 1), (9, 0), (5_000_010, 5_000_000)] as [(Int64, Int64)] {
            report.lastMicroseconds = last
            #expect(report.microseconds == time)
        }
    }
}
