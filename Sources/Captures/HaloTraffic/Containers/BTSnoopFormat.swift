/// The format btsnoop of Android's HCI snoop log and of `btmon -w`.
///
/// All numbers are big-endian. Described by RFC 1761 and, for its Bluetooth content, by BlueZ.
///
///     header  "btsnoop" 00 · version, 32 bits: 1 · content, 32 bits
///     record  length before it was cut, 32 bits · length, 32 bits · flags, 32 bits
///             packets lost so far, 32 bits · microseconds since the year 0, 64 bits · packet
struct BTSnoopFormat: RecordFileFormat {
    static let magic: StaticString = "btsnoop\0"
    /// The 1st of January 1970 in microseconds since the year 0.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    static let headerLength = 16
    static let recordHeaderLength = 24
    static let lengthEnd = recordHeaderLength

    private let content: Content
    private var lost: UInt32 = 0

    private enum Content: UInt32 {
        /// Packets without a type byte; the flags tell commands and events from data.
        case bare = 1001
        /// Packets with their type in the first byte.
        case uart = 1002
        /// Records of Linux' monitor, with their type in the flags.
        case monitor = 2001
    }

    init(header: Span<UInt8>, at offset: Int) throws(TrafficError) {
        guard header.has(Self.magic) else { throw TrafficError(.malformed, at: offset) }
        let version = header.length(at: 8, .big)
        guard version == 1 else {
            throw TrafficError(.unknownVersion, at: offset + 8, found: version, hint: "it is 1")
        }
        let number = header.uint32(at: 12, .big)
        guard let content = Content(rawValue: number) else {
            let hints: [UInt32: String] = [
                1003: "packets of BCSP, which frames them for a UART",
                1004: "packets of the three-wire UART (H5)", 2002: "packets of Linux' simulator",
            ]
            throw TrafficError(
                .unknownContent, at: offset + 12, found: Int(clamping: number), hint: hints[number])
        }
        self.content = content
    }

    func packetLength(_ header: Span<UInt8>, at offset: Int) -> (length: Int, offset: Int) {
        (header.length(at: 4, .big), offset + 4)
    }

    func microseconds(_ header: Span<UInt8>) -> Int64 {
        Int64(bitPattern: header.uint64(at: 16, .big)) &- Self.epoch
    }

    mutating func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink
    ) {
        let dropped = header.uint32(at: 12, .big)
        if dropped > lost { sink.note(.lostByRecorder, at: position) }
        lost = dropped
        if packet.count < header.length(at: 0, .big) { sink.note(.cutByRecorder, at: position) }
        let flags = header.uint32(at: 8, .big)
        let direction: HCIDirection = flags & 1 == 0 ? .toController : .toHost
        switch content {
        case .uart:
            LinkPackets.receiveUART(packet, direction, adapter: 0, at: position, into: &sink)
        case .bare:
            let control: HCIPacketType = direction == .toController ? .command : .event
            let type = flags & 2 == 0 ? .acl : control
            sink.receive(.hci(type, direction, adapter: 0), packet, at: position)
        case .monitor:
            let opcode = UInt16(truncatingIfNeeded: flags)
            let adapter = UInt16(truncatingIfNeeded: flags >> 16)
            sink.receive(.monitor(opcode: opcode, adapter: adapter), packet, at: position)
        }
    }
}
