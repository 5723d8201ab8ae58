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
        case .btsnoop: BTSnoopWriter.putFileHeader(&bytes)
        case .pcapng: PcapNGWriter.putFileHeader(&bytes)
        case .pcap: PcapWriter.putFileHeader(&bytes)
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
        frame.putLittle(L2CAPChannel.attributes.rawValue)
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
