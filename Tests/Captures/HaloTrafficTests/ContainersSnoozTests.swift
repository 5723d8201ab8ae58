import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// btsnooz in its three forms. Android's btsnooz.py gives the same packets and times.
@Suite(.computes) struct ContainersSnoozTests {
    private static let last: Int64 = 1_765_493_655_000_000
    private static let types: [(UInt8, RecordKind)] = [
        (0x20, .hci(.command, .toController, adapter: 0)),
        (0x10, .hci(.event, .toHost, adapter: 0)),
        (0x21, .hci(.acl, .toController, adapter: 0)), (0x11, .hci(.acl, .toHost, adapter: 0)),
        (0x22, .hci(.synchronous, .toController, adapter: 0)),
        (0x12, .hci(.synchronous, .toHost, adapter: 0)),
        (0x2D, .hci(.isochronous, .toController, adapter: 0)),
        (0x17, .hci(.isochronous, .toHost, adapter: 0)),
    ]

    /// A record of each type; the n-th one has n bytes and comes n µs after the one before.
    private static func records(_ version: UInt8) -> [UInt8] {
        types.enumerated().flatMap { index, type in
            PackedFile.snoozRecord(
                version, type.0, Array(repeating: UInt8(index), count: index),
                after: UInt32(index))
        }
    }

    private static func block(_ version: UInt8) -> [UInt8] {
        PackedFile.snooz(version, last: UInt64(last), records(version))
    }

    private static func expectAllTypes(_ found: ContainersSink, last: Int64) {
        #expect(found.error == nil && found.notes.isEmpty)
        #expect(found.records.map(\.kind) == types.map(\.1))
        #expect(found.records.map(\.bytes.count) == Array(0..<8))
        let times = found.records.map { last - $0.position.microseconds }
        #expect(times == [28, 27, 25, 22, 18, 13, 7, 0])
        #expect(found.records.map(\.position.number) == Array(1...8))
    }

    @Test(arguments: [1, 2] as [UInt8])
    func readsBlocks(_ version: UInt8) {
        let found = ContainersSink(Self.block(version))
        Self.expectAllTypes(found, last: Self.last)
        let header = SnoozRecord.headerLength(of: version)
        #expect(found.records.map(\.position.offset).prefix(3) == [0, header, 2 * header + 1])
    }

    @Test(arguments: ["\n", "\r\n"])
    func readsBugReports(_ newline: String) {
        let report = PackedFile.report([Self.block(2)], newline: newline)
        let found = ContainersSink(report)
        Self.expectAllTypes(found, last: Self.last)
        for size in [1, 2, 3, 7, 64, 100, 127, 128, 129] {
            #expect(ContainersSink(report, inPieces: size) == found, "\(size)")
        }
        let far = Array(String(repeating: "a line of the log\(newline)", count: 2_000).utf8)
        let long = Array(repeating: UInt8(ascii: "x"), count: 300_000) + Array(newline.utf8)
        #expect(ContainersSink(far + long + report, .btsnooz).records == found.records)
        #expect(ContainersSink(far + long + report, .btsnooz, inPieces: 777) == found)
    }

    @Test func readsTheFirstBlockWithRecords() {
        let empty = PackedFile.snooz(2, last: 5, [])
        let again = PackedFile.snooz(2, last: 9, Self.records(2))
        let report = PackedFile.report([[], empty, Self.block(2), again])
        Self.expectAllTypes(ContainersSink(report), last: Self.last)
        for blocks in [[], [[]], [empty, []]] as [[[UInt8]]] {
            let error = ContainersSink(PackedFile.report(blocks)).error
            #expect(error?.kind == .unknownContent)
            #expect(error?.hint?.contains(blocks.isEmpty ? "no btsnooz" : "is empty") == true)
        }
    }

    @Test func readsFilesOfRecords() {
        let file = ContainersFile.btsnoop(1002).bytes + Self.records(2)
        let found = ContainersSink(file, .btsnooz)
        Self.expectAllTypes(found, last: 28)
        // The first record counts from one that is not there.
        let late = PackedFile.snoozRecord(2, 0x20, [1, 2, 3], after: 99, original: 5)
        let other = ContainersSink(ContainersFile.btsnoop(1002).bytes + late + Self.records(2))
        #expect(other.records.map(\.position.microseconds).prefix(3) == [0, 0, 1])
        #expect(other.notes.isEmpty && other.error == nil)
    }

    @Test func notesWhatTheRecorderCut() {
        for (original, isCut) in [(3, false), (4, false), (5, true), (900, true)] {
            let record = PackedFile.snoozRecord(
                2, 0x11, [1, 2], after: 0, original: UInt16(original))
            let found = ContainersSink(PackedFile.snooz(2, last: 1, record))
            #expect(found.oddities == (isCut ? [.cutByRecorder] : []), "\(original)")
            #expect(found.records.count == 1)
        }
    }

    @Test func anUnknownTypeIsNoted() {
        let records =
            PackedFile.snoozRecord(1, 0x33, [1, 2], after: 4)
            + PackedFile.snoozRecord(1, 0x10, [3], after: 5)
        let found = ContainersSink(PackedFile.snooz(1, last: 50, records))
        #expect(found.notes.map(\.position.microseconds) == [45])
        #expect(found.oddities == [.unknownPacket])
        #expect(found.records.map(\.position.microseconds) == [50])
    }

    @Test func aWrongLengthKeepsTheRecordsBefore() {
        let good = PackedFile.snoozRecord(2, 0x10, [1], after: 2)
        let zero = PackedFile.snoozRecord(2, 0x10, [], after: 2, length: 0)
        let wrong = ContainersSink(PackedFile.snooz(2, last: 9, good + zero))
        #expect(wrong.records.count == 1)
        #expect(wrong.error == TrafficError(.wrongLength, at: 10, found: 0))
        let cut = ContainersSink(PackedFile.snooz(2, last: 9, good + good.dropLast(1)))
        #expect(cut.records.count == 1)
        #expect(cut.error == TrafficError(.truncated, at: 10, missing: 1))
        let header = ContainersFile.btsnoop(1002).bytes
        let file = ContainersSink(header + good + zero, .btsnooz)
        #expect(file.records.count == 1)
        #expect(file.error == TrafficError(.wrongLength, at: 26, found: 0))
    }

    @Test func truncatedFilesHaveTheRecordsBefore() {
        let records = Self.records(2)
        let block = Array(Self.block(2))
        let file = ContainersFile.btsnoop(1002).bytes + records
        let report = PackedFile.report([block])
        for (bytes, isWholeBefore) in [(block, 4), (file, 0), (report, 16)] {
            let whole = ContainersSink(bytes, .btsnooz).records.map(\.bytes)
            var last = 0
            for count in 1..<bytes.count {
                let found = ContainersSink(Array(bytes.prefix(count)), .btsnooz)
                #expect(whole.starts(with: found.records.map(\.bytes)), "\(count)")
                #expect(found.records.count >= last, "\(count)")
                last = found.records.count
                let kinds = [TrafficError.Kind.truncated, .unknownContent]
                if let error = found.error { #expect(kinds.contains(error.kind), "\(count)") }
            }
            #expect(last >= whole.count - 1, "\(isWholeBefore)")
        }
    }

    @Test func refusesOtherVersionsAndOtherText() {
        #expect(ContainersSink([3] + Self.block(1).dropFirst(), .btsnooz).error?.found == 3)
        let version = ContainersSink(PackedFile.report([[9, 1, 2, 3]])).error
        #expect(version?.kind == .unknownVersion && version?.found == 9)
        let text = "== dumpstate: x\n--- BEGIN:BTSNOOP_LOG_SUMMARY (1 bytes in) ---\nAg*A\n"
        let error = ContainersSink(Array(text.utf8)).error
        #expect(error?.kind == .malformed && error?.found == 42)
        #expect(error?.offset == text.utf8.count - 3)
    }

    @Test func hasALimitOfMemory() throws {
        var block = SnoozBlock()
        try block.feed(ContiguousArray(PackedFile.snooz(2, last: 0, [])).span.extracting(0..<11))
        let zeros = ContiguousArray<UInt8>(repeating: 0, count: 65535)
        let header = ContiguousArray<UInt8>([0, 0xFF, 0xFF, 0, 0])
        var error: TrafficError?
        for _ in 0...SnoozBlock.longestBlock / 65535 where error == nil {
            do throws(TrafficError) {
                try block.feed(header.span)
                try block.feed(zeros.span)
            } catch let found {
                error = found
            }
        }
        #expect(error?.kind == .tooMuch && error?.found == SnoozBlock.longestBlock)
    }

    @Test func wrongBytesAreAnError() {
        var random: UInt64 = 11
        let next = { (limit: Int) -> Int in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        let report = PackedFile.report([Self.block(2)])
        let file = ContainersFile.btsnoop(1002).bytes + Self.records(2)
        for round in 0..<Thoroughness.scaled(120) {
            var broken = [Self.block(1), report, file][round % 3]
            for _ in 0...next(3) { broken[next(broken.count)] = UInt8(next(256)) }
            let whole = ContainersSink(broken, .btsnooz)
            #expect(ContainersSink(broken, .btsnooz, inPieces: 1 + next(40)) == whole, "\(round)")
        }
    }

    /// The line before a block has at most 128 bytes, with its end.
    @Test(arguments: [(128, true), (129, false)])
    func theLineBeforeABlockIsShort(length: Int, isFound: Bool) {
        let report = String(decoding: PackedFile.report([Self.block(2)]), as: UTF8.self)
        let begin = report.split(separator: "\n").first { $0.hasPrefix("--- BEGIN") } ?? ""
        let spaces = String(repeating: " ", count: length - 1 - begin.utf8.count)
        let text = Array(report.replacing(begin, with: spaces + begin).utf8)
        for size in [1, 100, 1 << 18] {
            let found = ContainersSink(text, .btsnooz, inPieces: size)
            #expect(found.records.count == (isFound ? 8 : 0), "\(size)")
            #expect(found.error?.kind == (isFound ? nil : .unknownContent), "\(size)")
        }
    }
}
