import HaloCapture
import HaloProtocol

/// Writes the packets between a host and its controller as records of a file.
struct HCIRecorder: Sendable {
    /// The maximum number of data bytes of a connection in one packet, as for controllers with long
    /// packets. The rest follows in continuations.
    static let longestData = 251

    private let format: ExportFormat
    private var bytes: [UInt8] = []

    /// Begins a file in a format.
    init(_ format: ExportFormat) {
        self.format = format
        switch format {
        case .btsnoop: BTSnoopWriter.begin(&bytes)
        case .pcapng: PcapNGWriter.begin(&bytes)
        case .pcap: PcapWriter.begin(&bytes)
        }
    }

    /// The number of bytes to be drained.
    var pendingCount: Int { bytes.count }

    /// Removes and returns the bytes that were written since the last time.
    mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Writes an event of the controller, at a time in microseconds since 1970.
    mutating func putEvent(_ event: [UInt8], at time: Int64) {
        put(HCIRecord(type: .event, isSent: false, time: time), event)
    }

    /// Writes a packet of the attribute protocol, from the view of the app's host.
    ///
    /// The packet has the L2CAP header, `length | channel 0004`. Each piece of the result has the
    /// ACL header, `handle and boundary | length`.
    mutating func putAttributes(
        _ packet: [UInt8], _ direction: Direction, on handle: UInt16, at time: Int64
    ) {
        var frame: [UInt8] = []
        frame.reserveCapacity(packet.count + 4)
        frame.putLittle(UInt16(truncatingIfNeeded: packet.count))
        frame.putLittle(0x0004 as UInt16)
        frame += packet
        let isSent = direction == .toDevice
        let record = HCIRecord(type: .acl, isSent: isSent, time: time)
        // First pieces have 00 from a host and 10 from a controller; continuations have 01.
        var boundary: UInt16 = isSent ? 0b00 : 0b10
        var rest = frame[...]
        repeat {
            let piece = rest.prefix(Self.longestData)
            rest = rest.dropFirst(piece.count)
            var data: [UInt8] = []
            data.reserveCapacity(piece.count + 4)
            data.putLittle(handle | boundary << 12)
            data.putLittle(UInt16(truncatingIfNeeded: piece.count))
            data += piece
            put(record, data)
            boundary = 0b01
        } while !rest.isEmpty
    }

    private mutating func put(_ record: HCIRecord, _ packet: [UInt8]) {
        switch format {
        case .btsnoop: BTSnoopWriter.put(record, packet, into: &bytes)
        case .pcapng: PcapNGWriter.put(record, packet, into: &bytes)
        case .pcap: PcapWriter.put(record, packet, into: &bytes)
        }
    }
}

/// The metadata of a packet between host and controller.
struct HCIRecord: Hashable, Sendable {
    /// The type of the packet.
    let type: HCIPacketType
    /// `true` if the host sent the packet.
    let isSent: Bool
    /// The time in microseconds since 1970 in UTC.
    let time: Int64
}

/// Makes events of a controller, each with a code, a length and the parameters. The layouts are
/// those of the Core Specification, volume 4, part E, section 7.7.
enum HCIEventPacket {
    /// The signal strength for a packet without one.
    static let unknownStrength: Int8 = 127

    private static let longestLegacyData = 31
    private static let longestExtendedData = 229

    /// `05 04 | 00 | handle | reason`
    static func disconnected(_ handle: UInt16, reason: UInt8) -> [UInt8] {
        var body: [UInt8] = [0]
        body.putLittle(handle)
        body.append(reason)
        return event(0x05, body)
    }

    /// `08 04 | 00 | handle | 01`: encrypted with AES
    static func encrypted(_ handle: UInt16) -> [UInt8] {
        var body: [UInt8] = [0]
        body.putLittle(handle)
        body.append(1)
        return event(0x08, body)
    }

    /// `3E 13 | 01 | 00 | handle | 00: we are central | address | interval, latency, timeout | 00`
    ///
    /// The parameters are usual ones: an interval of 30 ms, latency 0, a timeout of five seconds.
    static func connected(_ handle: UInt16, _ address: DeviceAddress) -> [UInt8] {
        var body: [UInt8] = [0]
        body.putLittle(handle)
        body += [0, address.isRandom ? 1 : 0]
        body.putAddress(address)
        body.putLittle(24 as UInt16)
        body.putLittle(0 as UInt16)
        body.putLittle(500 as UInt16)
        body.append(0)
        return lowEnergy(0x01, body)
    }

    /// The reports of an advertisement: one, unless the data are longer than any device sends.
    static func advertisements(
        _ address: DeviceAddress, _ data: [UInt8], isScanResponse: Bool, strength: Int8?
    ) -> [[UInt8]] {
        let strength = strength ?? unknownStrength
        if data.count <= longestLegacyData {
            return [legacy(address, data, isScanResponse, strength)]
        }
        var reports: [[UInt8]] = []
        var rest = data[...]
        while !rest.isEmpty {
            let piece = rest.prefix(longestExtendedData)
            rest = rest.dropFirst(piece.count)
            reports.append(
                extended(address, piece, isScanResponse, strength, isLast: rest.isEmpty))
        }
        return reports
    }

    /// `3E … | 02 | 01 | type | address | length, data | strength`
    private static func legacy(
        _ address: DeviceAddress, _ data: [UInt8], _ isScanResponse: Bool, _ strength: Int8
    ) -> [UInt8] {
        var body: [UInt8] = [1, isScanResponse ? 4 : 0, address.isRandom ? 1 : 0]
        body.putAddress(address)
        body.append(UInt8(truncatingIfNeeded: data.count))
        body += data
        body.append(UInt8(bitPattern: strength))
        return lowEnergy(0x02, body)
    }

    /// `3E … | 0D | 01 | type | address | PHYs 01 01 | set FF | power 7F | strength | 00 00 |
    /// 00 and no address | length, data`
    private static func extended(
        _ address: DeviceAddress, _ data: ArraySlice<UInt8>, _ isScanResponse: Bool,
        _ strength: Int8, isLast: Bool
    ) -> [UInt8] {
        var body: [UInt8] = [1]
        let type: UInt16 = isScanResponse ? 0x000A : 0x0001
        body.putLittle(type | (isLast ? 0 : 0x0020))
        body.append(address.isRandom ? 1 : 0)
        body.putAddress(address)
        body += [1, 1, 0xFF, 0x7F, UInt8(bitPattern: strength), 0, 0, 0]
        body += [0, 0, 0, 0, 0, 0]
        body.append(UInt8(truncatingIfNeeded: data.count))
        body += data
        return lowEnergy(0x0D, body)
    }

    private static func lowEnergy(_ subevent: UInt8, _ body: [UInt8]) -> [UInt8] {
        event(0x3E, [subevent] + body)
    }

    private static func event(_ code: UInt8, _ body: [UInt8]) -> [UInt8] {
        [code, UInt8(truncatingIfNeeded: body.count)] + body
    }
}
