import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct ContainersPcapTests {
    private static let air: [UInt8] = [0x3C, 0x5D, 0x65, 0x50, 0x02, 2, 0xAA, 0xBB]
    private static let sum: [UInt8] = [1, 2, 3]

    private func read(_ type: UInt32, _ packets: [UInt8]...) -> ContainersSink {
        var file = ContainersFile.pcap(type)
        for packet in packets { file.putPcap(packet) }
        let found = ContainersSink(file.bytes)
        #expect(found.error == nil)
        return found
    }

    @Test(arguments: [ByteOrder.big, .little])
    func readsBothOrdersAndUnitsOfTime(_ order: ByteOrder) {
        for (magic, fraction) in [(0xA1B2_C3D4, 123_456), (0xA1B2_3C4D, 123_456_789)] {
            var file = ContainersFile.pcap(187, order, magic: UInt32(magic))
            file.putPcap([1, 3, 12, 0], seconds: .max, fraction: UInt32(fraction))
            let found = ContainersSink(file.bytes)
            #expect(found.error == nil)
            #expect(found.records.map(\.kind) == [.hci(.command, .toController, adapter: 0)])
            #expect(
                found.records.map(\.position) == [
                    FilePosition(number: 1, offset: 24, microseconds: 4_294_967_295_123_456)
                ])
        }
    }

    @Test func readsPacketsOfAUART() {
        #expect(
            read(187, [1, 0], [2, 0], [4, 0], [3], [5]).records.map(\.kind) == [
                .hci(.command, .toController, adapter: 0), .hci(.acl, nil, adapter: 0),
                .hci(.event, .toHost, adapter: 0), .hci(.synchronous, nil, adapter: 0),
                .hci(.isochronous, nil, adapter: 0),
            ])
        let found = read(
            201, [0, 0, 0, 0, 2, 7], [0, 0, 0, 1, 2, 8], [0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0, 9])
        #expect(
            found.records.map(\.kind) == [
                .hci(.acl, .toController, adapter: 0), .hci(.acl, .toHost, adapter: 0),
            ])
        #expect(found.oddities == [.shortPacket, .shortPacket, .unknownPacket])
    }

    @Test func readsRecordsOfAMonitor() {
        let found = read(254, [0, 1, 0, 9], [0xFF, 0xFF, 0, 12, 65], [0, 1, 0])
        #expect(
            found.records.map(\.kind) == [
                .monitor(opcode: 9, adapter: 1), .monitor(opcode: 12, adapter: 0xFFFF),
            ])
        #expect(found.records.map(\.bytes) == [[], [65]])
        #expect(found.oddities == [.shortPacket])
    }

    @Test func readsPacketsInTheAir() {
        let found = read(251, Self.air + Self.sum)
        #expect(found.records.map(\.kind) == [.air(AirReception())])
        #expect(found.records.map(\.bytes) == [Self.air])
    }

    @Test func leavesOutCutPacketsInTheAir() {
        let whole = Self.air + Self.sum
        for count in 0..<whole.count {
            let found = read(251, Array(whole.prefix(count)))
            #expect(found.records.isEmpty && found.oddities == [.shortPacket], "\(count)")
        }
    }

    @Test func aPacketForDirectionFindingHasAByteMore() {
        var packet = Self.air
        packet[4] |= 0x20
        packet.insert(0x14, at: 6)
        #expect(read(251, packet + Self.sum).records.map(\.bytes) == [packet])
        let advertising: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E, 0x20, 1, 9]
        #expect(read(251, advertising + Self.sum).records.map(\.bytes) == [advertising])
    }

    private func header(_ flags: UInt16, signal: Int8 = -40) -> [UInt8] {
        [5, UInt8(bitPattern: signal), 0, 0, 0, 0, 0, 0] + [UInt8(flags & 0xFF), UInt8(flags >> 8)]
    }

    @Test(
        arguments: [
            (0x0001, AirReception()), (0x0003, AirReception(strength: -40)),
            (0x0401, AirReception(isIntact: false)), (0x0C01, AirReception(isIntact: true)),
            (0x0801, AirReception()), (0x0009, AirReception(isDecrypted: true)),
            (0x0101, AirReception(direction: .toDevice)),
            (0x0181, AirReception(direction: .fromDevice)), (0x0081, AirReception()),
            (0x4001, AirReception()),
        ] as [(UInt16, AirReception)])
    func readsHowAPacketWasReceived(_ flags: UInt16, _ reception: AirReception) {
        let found = read(256, header(flags) + Self.air + Self.sum)
        #expect(found.records.map(\.kind) == [.air(reception)])
        #expect(found.records.map(\.bytes) == [Self.air])
    }

    @Test func leavesOutUnreadablePackets() {
        #expect(read(256, header(0x0002) + Self.air + Self.sum).oddities == [.unknownPacket])
        #expect(read(256, Array(header(1).prefix(9))).oddities == [.shortPacket])
    }

    @Test(arguments: [0x0201, 0x0281, 0x0301] as [UInt16])
    func leavesOutIsochronousStreams(_ flags: UInt16) {
        let found = read(256, header(flags) + Self.air + Self.sum)
        #expect(found.records.isEmpty && found.oddities.isEmpty)
    }

    @Test func leavesOutTheCodingOfTheCodedRadio() {
        let coded = Self.air[..<4] + [1] + Self.air[4...] + Self.sum
        let found = read(256, header(0x8001) + coded, header(0x8001) + [1, 2, 3, 4])
        #expect(found.records.map(\.bytes) == [Self.air])
        #expect(found.oddities == [.shortPacket])
        #expect(
            read(272, nordic(3, 6, flags: 0x21, Array(coded))).records.map(\.bytes) == [Self.air])
    }

    private func nordic(
        _ version: UInt8, _ id: UInt8, flags: UInt8, signal: UInt8 = 52, _ packet: [UInt8]
    ) -> [UInt8] {
        let length = UInt8(10 + packet.count)
        let lengths = version == 1 ? [6, length] : [length, 0]
        return [9] + lengths + [version, 7, 0, id, 10, flags, 37, signal, 1, 0, 1, 2, 3, 4] + packet
    }

    /// Programs that write such files may leave out the type, in the versions that have one type.
    @Test(arguments: [(1, true), (2, true), (3, false)] as [(UInt8, Bool)])
    func aPacketOfTheSnifferMayLackItsType(version: UInt8, isRead: Bool) {
        let found = read(272, nordic(version, 0, flags: 0x03, Self.air + Self.sum))
        #expect(found.records.isEmpty != isRead)
    }

    @Test func readsPacketsOfTheSniffer() {
        let packet = Self.air + Self.sum
        for version in 1...3 as ClosedRange<UInt8> {
            let found = read(
                272, nordic(version, 6, flags: 0x03, packet), nordic(version, 6, flags: 0, packet),
                nordic(version, 6, flags: 0x0D, signal: 255, packet),
                nordic(version, 6, flags: 0x05, packet), nordic(version, 5, flags: 1, packet))
            #expect(
                found.records.map(\.kind) == [
                    .air(AirReception(direction: .toDevice, strength: -52, isIntact: true)),
                    .air(AirReception(direction: .fromDevice, strength: -52, isIntact: false)),
                    .air(
                        AirReception(
                            direction: .fromDevice, strength: -127, isIntact: true,
                            isDecrypted: true)),
                    .air(AirReception(direction: .fromDevice, strength: -52, isIntact: true)),
                ])
            #expect(found.records.allSatisfy { $0.bytes == Self.air })
        }
        #expect(
            read(272, nordic(3, 2, flags: 0x03, packet), nordic(2, 2, flags: 3, packet)).records
                .map(\.kind) == [.air(AirReception(strength: -52, isIntact: true))])
        #expect(read(272, nordic(0, 6, flags: 3, packet)).oddities == [.unknownPacket])
        #expect(read(272, nordic(4, 6, flags: 3, packet)).oddities == [.unknownPacket])
        let whole = nordic(3, 6, flags: 3, packet)
        for count in 0..<whole.count {
            #expect(read(272, Array(whole.prefix(count))).oddities == [.shortPacket], "\(count)")
        }
    }

    @Test func refusesOtherContentThanBluetooth() {
        for type in [0, 1, 105, 195, 0x0300_00BB] as [UInt32] {
            let error = ContainersSink(ContainersFile.pcap(type).bytes).error
            #expect(error?.kind == .unknownContent && error?.offset == 20)
            #expect(error?.found == Int(type))
        }
        #expect(ContainersSink(ContainersFile.pcap(0xF400_00BB).bytes).error == nil)
    }

    @Test func refusesOtherVersions() {
        let file = ContainersFile.pcap(187, version: (2, 3)).bytes
        #expect(
            ContainersSink(file).error
                == TrafficError(.unknownVersion, at: 6, found: 3, hint: "it is 2.4"))
        #expect(
            ContainersSink(ContainersFile.pcap(187, version: (3, 4)).bytes).error?.offset == 4)
        let extended = ContainersFile.pcap(187, magic: 0xA1B2_CD34).bytes
        #expect(ContainersSink(extended).error?.kind == .unknownVersion)
    }

    @Test func refusesLengthsThatCannotBe() {
        var file = ContainersFile.pcap(187)
        file.putPcap([1], included: RecordCounter.longestPacket + 1)
        #expect(
            ContainersSink(file.bytes).error
                == TrafficError(.recordTooLong, at: 32, found: RecordCounter.longestPacket + 1))
        file = ContainersFile.pcap(187)
        file.putPcap([1], included: 3)
        #expect(ContainersSink(file.bytes).error == TrafficError(.truncated, at: 24, missing: 2))
    }

    @Test func notesLossesAndCutsOfTheRecorder() {
        var file = ContainersFile.pcap(187)
        file.putPcap([1, 0], seconds: 5, original: 9)
        file.putPcap([1, 0], seconds: 4)
        file.putPcap([], seconds: 4)
        let found = ContainersSink(file.bytes)
        #expect(found.oddities == [.cutByRecorder, .timeBackwards, .shortPacket])
        #expect(found.records.count == 2)
    }
}
