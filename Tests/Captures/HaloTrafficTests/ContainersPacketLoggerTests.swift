import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct ContainersPacketLoggerTests {
    @Test(arguments: [ByteOrder.big, .little])
    func readsBothOrders(_ order: ByteOrder) {
        var file = ContainersFile(order)
        file.putLogger(0, [3, 12, 0], seconds: .max, microseconds: 999_999)
        file.putLogger(1, [14, 0], seconds: .max, microseconds: 999_999)
        for type in [2, 3, 8, 9] as [UInt8] { file.putLogger(type, [type], seconds: .max) }
        let found = ContainersSink(file.bytes, .packetLogger)
        #expect(found.error == nil && found.oddities == [.timeBackwards])
        #expect(
            found.records.map(\.kind) == [
                .hci(.command, .toController, adapter: 0), .hci(.event, .toHost, adapter: 0),
                .hci(.acl, .toController, adapter: 0), .hci(.acl, .toHost, adapter: 0),
                .hci(.synchronous, .toController, adapter: 0),
                .hci(.synchronous, .toHost, adapter: 0),
            ])
        #expect(found.records.map(\.bytes) == [[3, 12, 0], [14, 0], [2], [3], [8], [9]])
        #expect(
            found.records[1].position
                == FilePosition(number: 2, offset: 16, microseconds: 4_294_967_295_999_999))
    }

    @Test func passesOverRemarksQuietly() {
        var file = ContainersFile()
        for type in [0x0A, 0x0B, 0xF7, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF] as [UInt8] {
            file.putLogger(type, Array("a note".utf8))
        }
        file.putLogger(0, [])
        file.putLogger(0x42, [1])
        let found = ContainersSink(file.bytes, .packetLogger)
        #expect(found.error == nil)
        #expect(found.records.map(\.position.number) == [9] && found.records.map(\.bytes) == [[]])
        #expect(found.notes.map(\.position.number) == [10] && found.oddities == [.unknownPacket])
    }

    @Test func refusesLengthsThatCannotBe() {
        for (length, kind) in [
            (0, TrafficError.Kind.wrongLength), (8, .wrongLength), (1 << 20, .recordTooLong),
            (0xFFFF_FFFF, .recordTooLong),
        ] {
            var file = ContainersFile()
            file.putLogger(0, [3, 12, 0])
            let offset = file.bytes.count
            file.putLogger(0, [], length: length)
            let found = ContainersSink(file.bytes, .packetLogger)
            #expect(found.records.count == 1)
            #expect(found.error?.kind == kind && found.error?.offset == offset, "\(length)")
        }
    }

    @Test func reportsTheNumberOfMissingBytes() {
        var file = ContainersFile()
        file.putLogger(0, [3], length: 30)
        #expect(
            ContainersSink(file.bytes, .packetLogger).error
                == TrafficError(.truncated, at: 0, missing: 20))
    }
}
