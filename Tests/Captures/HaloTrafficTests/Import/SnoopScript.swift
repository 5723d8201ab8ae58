import CaptureSupport
import HaloCapture
import HaloProtocol

@testable import HaloTraffic

/// Makes a file of traffic in the format of a phone: btsnoop with H4 packets.
struct SnoopScript {
    private(set) var bytes: [UInt8]
    /// The time in microseconds since 1970.
    var time: Int64

    /// 2025-12-11 22:54:15.
    static let start: Int64 = 1_765_493_655_000_000
    /// The microseconds from the year 0 to 1970.
    private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    init() {
        bytes = Array("btsnoop\0".utf8) + Self.number(1, 4) + Self.number(1002, 4)
        time = Self.start
    }

    private static func number(_ value: Int64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// Adds a packet with the type of H4.
    mutating func h4(_ packet: [UInt8], isReceived: Bool) {
        bytes += Self.number(Int64(packet.count), 4) + Self.number(Int64(packet.count), 4)
        bytes += Self.number(isReceived ? 1 : 0, 4) + Self.number(0, 4)
        bytes += Self.number(time &+ Self.epoch, 8) + packet
    }

    /// Adds a connection to a random address that ends with a byte.
    mutating func connect(_ handle: UInt16 = 0x40, address: UInt8 = 0x66) {
        let event: [UInt8] = [
            0x04, 0x3E, 0x13, 0x01, 0x00, UInt8(handle & 0xFF), UInt8(handle >> 8), 0x00, 0x01,
            address, 0x55, 0x44, 0x33, 0x22, 0xC1, 0x18, 0, 0, 0, 0x2A, 0, 5, 0,
        ]
        h4(Array(event.prefix(22)), isReceived: true)
    }

    mutating func disconnect(_ handle: UInt16 = 0x40, reason: UInt8 = 0x13) {
        let handle = [UInt8(handle & 0xFF), UInt8(handle >> 8)]
        h4([0x04, 0x05, 0x04, 0x00] + handle + [reason], isReceived: true)
    }

    mutating func encrypt() { h4(HaloTrafficTests.bytes(HCISamples.encrypted), isReceived: true) }

    mutating func advertise(_ data: [UInt8], address: UInt8 = 0x66) {
        let report: [UInt8] =
            [0x02, 0x01, 0x00, 0x01, address, 0x55, 0x44, 0x33, 0x22, 0xC1, UInt8(data.count)]
            + data + [0xC4]
        h4([0x04, 0x3E, UInt8(report.count)] + report, isReceived: true)
    }

    /// Packets of the attribute protocol, each a millisecond after the one before:
    /// `> 0A 03 00`, `< 0B 64`.
    mutating func say(_ text: String, on handle: UInt16 = 0x40) {
        for line in text.split(separator: "\n") {
            let packet = HaloTrafficTests.bytes(String(line.dropFirst()))
            say(line.first == ">" ? .toDevice : .fromDevice, packet, on: handle)
        }
    }

    mutating func say(_ direction: Direction, _ packet: [UInt8], on handle: UInt16 = 0x40) {
        time += 1000
        direction == .toDevice
            ? h4(HCISamples.fromHost(handle, packet), isReceived: false)
            : h4(HCISamples.fromController(handle, packet), isReceived: true)
    }

    /// The discovery of a ring's uart service, at handles 0x0E to 0x13.
    static let discovery = """
        > 10 01 00 FF FF 00 28
        < 11 14 0E 00 13 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 F0 FF 40 6E
        > 10 14 00 FF FF 00 28
        < 01 10 14 00 0A
        > 08 0E 00 13 00 03 28
        < 09 15 0F 00 0C 10 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 02 00 40 6E
        > 08 10 00 13 00 03 28
        < 09 15 11 00 10 12 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 03 00 40 6E
        > 04 13 00 13 00
        < 05 01 13 00 02 29
        """

    /// A subscription, and a request for the battery.
    static var conversation: String {
        """
        > 12 13 00 01 00
        < 13
        > 12 10 00 \(spaced(RingSamples.question))
        < 13
        < 1B 12 00 \(spaced(RingSamples.answer))
        """
    }
}

/// Both passes over a file, in pieces.
enum ImportPasses {
    static func survey(
        _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), pieces: Int = .max
    ) throws(TrafficError) -> TrafficReport {
        var survey = try TrafficSurvey(options)
        try feed(bytes, pieces) { piece throws(TrafficError) in try survey.read(piece) }
        try survey.finish()
        return survey.report
    }

    static func text(
        _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), pieces: Int = .max
    ) throws(TrafficError) -> String {
        let report = try survey(bytes, options, pieces: pieces)
        var importer = try CaptureImporter(report, options)
        var text: [UInt8] = []
        try feed(bytes, pieces) { piece throws(TrafficError) in
            try importer.read(piece)
            text += importer.drain()
        }
        try importer.finish()
        text += importer.drain()
        return String(decoding: text, as: UTF8.self)
    }

    static func counts(
        _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), pieces: Int = .max
    ) throws(TrafficError) -> PacketCounts {
        var counter = try PacketCounter(try survey(bytes, options), options)
        try feed(bytes, pieces) { piece throws(TrafficError) in try counter.read(piece) }
        try counter.finish()
        return counter.counts
    }

    private static func feed(
        _ bytes: [UInt8], _ length: Int, _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(TrafficError) {
        var start = 0
        while start < bytes.count {
            let end = start + min(length, bytes.count - start)
            try body(ContiguousArray(bytes[start..<end]).span)
            start = end
        }
    }
}
