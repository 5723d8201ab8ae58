import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Packets of sniffers with per-packet information.
@Suite(.computes) struct ContainersSnifferTests {
    /// An advertisement from its access address to its CRC.
    private static let packet: [UInt8] =
        [0xD6, 0xBE, 0x89, 0x8E, 0x40, 9, 1, 2, 3, 4, 5, 0xC6, 2, 1, 6] + [7, 8, 9]
    /// The field of Ubertooth, as in crackle's test files: 30006, 12 bytes.
    private static let ubertooth: [UInt8] =
        [0x36, 0x75, 12, 0, 0, 0x62, 9, 0, 0x6B, 0x36, 0xE3, 0, 0xE8, 0xDC, 0xEE, 0x3C]

    private static func ppi(
        _ type: UInt32, _ fields: [UInt8] = [], _ content: [UInt8] = packet, version: UInt8 = 0,
        flags: UInt8 = 0, length: Int? = nil
    ) -> [UInt8] {
        let length = UInt16(length ?? 8 + fields.count)
        return [version, flags] + PackedFile.little(length) + PackedFile.little(type) + fields
            + content
    }

    private static func read(_ packet: [UInt8]) -> ContainersSink {
        var file = ContainersFile.pcap(192)
        file.putPcap(packet)
        var other = ContainersFile()
        other.putSection(.little)
        other.putInterface(192)
        other.putPacket(packet)
        let (one, two) = (ContainersSink(file.bytes), ContainersSink(other.bytes))
        #expect(one.records.map(\.bytes) == two.records.map(\.bytes))
        #expect(one.records.map(\.kind) == two.records.map(\.kind))
        #expect(one.oddities == two.oddities && one.error == nil && two.error == nil)
        return one
    }

    @Test func readsPacketsBehindTheirInformation() {
        let header: [UInt8] = [37, 0xD0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x03, 0x0C]
        let other: [UInt8] = [1, 0, 3, 0, 1, 2, 3]
        for packet in [
            Self.ppi(251), Self.ppi(251, Self.ubertooth), Self.ppi(147, Self.ubertooth),
            Self.ppi(147, other + Self.ubertooth), Self.ppi(256, [], header + Self.packet),
            Self.ppi(147, other + [0] + Self.ubertooth, flags: 1),
        ] {
            let found = Self.read(packet)
            #expect(found.records.map(\.bytes) == [Array(Self.packet.dropLast(3))])
            guard case .air(let reception) = found.records.first?.kind else {
                Issue.record("it is not of the air")
                continue
            }
            #expect(reception.direction == nil)
        }
    }

    @Test func notesOtherInformation() {
        let other: [UInt8] = [1, 0, 3, 0, 1, 2, 3]
        for packet in [
            Self.ppi(147), Self.ppi(147, other), Self.ppi(105), Self.ppi(251, version: 1),
            Self.ppi(147, other + Self.ubertooth, flags: 1),
        ] { #expect(Self.read(packet).oddities == [.unknownPacket]) }
        for packet in [
            Self.ppi(251, length: 7), Self.ppi(251, length: 27), Self.ppi(251, [], []),
            Array(Self.ppi(251).prefix(7)), Self.ppi(256), [],
        ] {
            let found = Self.read(packet)
            #expect(found.records.isEmpty && found.notes.count == 1)
        }
    }
}
