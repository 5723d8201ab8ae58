import HaloProtocol

/// Writes what goes between a host and its controller as the records of a file.
struct HCIRecorder: Sendable {
    /// How much of a connection's data goes into one packet: what controllers with long packets
    /// take. The rest follows in continuations.
    static let longestData = 251

    private let format: ExportFormat
    private var bytes: [UInt8] = []

    /// Begins a file.
    init(_ format: ExportFormat) {
        self.format = format
        switch format {
        case .btsnoop: BTSnoopWriter.begin(&bytes)
        case .pcapng: PcapNGWriter.begin(&bytes)
        case .pcap: PcapWriter.begin(&bytes)
        }
    }

    /// How many bytes nobody took yet.
    var pendingCount: Int { bytes.count }

    /// Hands over what was written since the last time.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// An event of the controller, at a time in microseconds since 1970.
    mutating func putEvent(_ event: [UInt8], at time: Int64) {
        put(HCIRecord(type: .event, isSent: false, time: time), event)
    }

    /// A packet of the attribute protocol; the host is the app's.
    ///
    /// Around it are, as everywhere in LE, `length | channel 0004`, and around each piece of that
    /// `handle and whether it begins or goes on | length`.
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
        // A host begins with 00, a controller with 10; both go on with 01.
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

/// What a file notes of a packet between host and controller.
struct HCIRecord: Hashable, Sendable {
    /// What the packet is.
    let type: HCIPacketType
    /// Whether the host sent it.
    let isSent: Bool
    /// When, in microseconds since 1970 in UTC.
    let time: Int64
}
