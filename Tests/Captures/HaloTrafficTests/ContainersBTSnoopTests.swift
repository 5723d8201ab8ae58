import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct ContainersBTSnoopTests {
    typealias Note = ContainersSink.Note

    private func kinds(_ file: ContainersFile) -> [RecordKind] {
        ContainersSink(file.bytes).records.map(\.kind)
    }

    @Test func readsPacketsOfAUART() {
        var file = ContainersFile.btsnoop(1002)
        file.putSnoop([1, 3, 12, 0], flags: 2, time: 1_000_000)
        file.putSnoop([4, 14, 0], flags: 3, time: 1_000_001)
        file.putSnoop([2, 5], flags: 0, time: 1_000_002)
        file.putSnoop([2, 6], flags: 1, time: 1_000_003)
        file.putSnoop([3, 7], flags: 1, time: 1_000_004)
        file.putSnoop([5], flags: 0, time: 1_000_005)
        let found = ContainersSink(file.bytes)
        #expect(found.error == nil && found.notes == [])
        #expect(
            found.records.map(\.kind) == [
                .hci(.command, .toController, adapter: 0), .hci(.event, .toHost, adapter: 0),
                .hci(.acl, .toController, adapter: 0), .hci(.acl, .toHost, adapter: 0),
                .hci(.synchronous, .toHost, adapter: 0),
                .hci(.isochronous, .toController, adapter: 0),
            ])
        #expect(found.records.map(\.bytes) == [[3, 12, 0], [14, 0], [5], [6], [7], []])
        #expect(
            found.records[1].position
                == FilePosition(number: 2, offset: 44, microseconds: 1_000_001))
    }

    @Test func readsPacketsWithoutTheirType() {
        var file = ContainersFile.btsnoop(1001)
        for flags in 0...3 as ClosedRange<UInt32> { file.putSnoop([9], flags: flags) }
        #expect(
            kinds(file) == [
                .hci(.acl, .toController, adapter: 0), .hci(.acl, .toHost, adapter: 0),
                .hci(.command, .toController, adapter: 0), .hci(.event, .toHost, adapter: 0),
            ])
    }

    @Test func readsRecordsOfAMonitor() {
        var file = ContainersFile.btsnoop(2001)
        file.putSnoop([], flags: 0x0001_0009)
        file.putSnoop([1, 2], flags: 0xFFFF_000C)
        #expect(
            kinds(file) == [
                .monitor(opcode: 9, adapter: 1), .monitor(opcode: 12, adapter: 0xFFFF),
            ])
    }

    @Test(arguments: [UInt32(0), 1000, 1003, 1004, 2002, .max])
    func refusesOtherContents(_ content: UInt32) {
        let error = ContainersSink(ContainersFile.btsnoop(content).bytes).error
        #expect(error?.kind == .unknownContent && error?.offset == 12)
        #expect(error?.found == Int(content))
        #expect((error?.hint != nil) == [1003, 1004, 2002].contains(content))
    }

    @Test func refusesOtherVersions() {
        for version in [0, 2, .max] as [UInt32] {
            let error = ContainersSink(ContainersFile.btsnoop(1002, version: version).bytes).error
            #expect(error?.kind == .unknownVersion && error?.offset == 8)
        }
    }

    @Test func notesLossesAndCutsOfTheRecorder() {
        var file = ContainersFile.btsnoop(1002)
        file.putSnoop([1, 0], flags: 2, time: 10, original: 9)
        file.putSnoop([1, 0], flags: 2, time: 9, lost: 3)
        file.putSnoop([1, 0], flags: 2, time: 8, lost: 3)
        file.putSnoop([1, 0], flags: 2, time: 8, lost: 1)
        file.putSnoop([1, 0], flags: 2, time: 11, lost: 2)
        let found = ContainersSink(file.bytes)
        #expect(found.records.count == 5 && found.error == nil)
        #expect(
            found.notes.map { "\($0.position.number) \($0.oddity)" } == [
                "1 \(TrafficOddity.cutByRecorder)", "2 \(TrafficOddity.timeBackwards)",
                "2 \(TrafficOddity.lostByRecorder)", "3 \(TrafficOddity.timeBackwards)",
                "5 \(TrafficOddity.lostByRecorder)",
            ])
    }

    @Test func notesUnknownPackets() {
        var file = ContainersFile.btsnoop(1002)
        file.putSnoop([], flags: 0)
        file.putSnoop([0], flags: 0)
        file.putSnoop([6, 1], flags: 0)
        file.putSnoop([2, 1], flags: 0)
        let found = ContainersSink(file.bytes)
        #expect(found.oddities == [.shortPacket, .unknownPacket, .unknownPacket])
        #expect(found.records.map(\.position.number) == [4])
    }

    @Test func refusesLengthsThatCannotBe() {
        for length in [RecordCounter.longestPacket + 1, 1 << 31, 0xFFFF_FFFF] {
            var file = ContainersFile.btsnoop(1002)
            file.putSnoop([1, 0], flags: 2)
            file.putSnoop([1, 0], flags: 2, included: length)
            let found = ContainersSink(file.bytes)
            #expect(found.records.count == 1)
            #expect(found.error == TrafficError(.recordTooLong, at: 46, found: length))
        }
        var file = ContainersFile.btsnoop(1002)
        file.putSnoop([1, 0], flags: 2, included: 100)
        #expect(ContainersSink(file.bytes).error == TrafficError(.truncated, at: 16, missing: 98))
    }

    @Test func readsTheLongestPacket() {
        var file = ContainersFile.btsnoop(1002)
        let packet = [UInt8](repeating: 2, count: RecordCounter.longestPacket)
        file.putSnoop(packet, flags: 0)
        for size in [1000, 1 << 18] {
            let found = ContainersSink(file.bytes, inPieces: size)
            #expect(found.error == nil && found.records.map(\.bytes) == [Array(packet.dropFirst())])
        }
    }

    @Test func readsAnyTime() {
        for time in [0, .min, .max, -1] as [Int64] {
            var file = ContainersFile.btsnoop(2001)
            file.putSnoop([], flags: 0, time: time)
            #expect(ContainersSink(file.bytes).records.map(\.position.microseconds) == [time])
        }
    }
}
