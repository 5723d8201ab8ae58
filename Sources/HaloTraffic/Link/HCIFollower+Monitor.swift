import HaloProtocol

/// Linux' Bluetooth monitor: packets of several adapters, and how those come and go.
///
/// ```
/// new index:          type (1)  bus (1)  address (6)  name (8)
/// index information:  address (6)  manufacturer (2)
/// ```
extension HCIFollower {
    @inline(__always) mutating func takeMonitor(
        _ opcode: UInt16, _ adapter: UInt16, _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>, into sink: inout some ConversationSink
    ) {
        switch MonitorOpcode(rawValue: opcode) {
        case .aclReceived:
            take(.acl, .toHost, adapter, bytes, at: place, &links, into: &sink)
        case .aclSent:
            take(.acl, .toController, adapter, bytes, at: place, &links, into: &sink)
        case .event:
            take(.event, .toHost, adapter, bytes, at: place, &links, into: &sink)
        case .command:
            take(.command, .toController, adapter, bytes, at: place, &links, into: &sink)
        case .newIndex:
            note(bytes.littleEndian48(at: 2), of: adapter)
        case .indexInformation:
            note(bytes.littleEndian48(at: 0), of: adapter)
        case .deleteIndex, .closeIndex:
            links.closeAll(of: adapter, at: place, into: &sink)
            adapters.reset(adapter)
        case .synchronousSent, .synchronousReceived, .isochronousSent, .isochronousReceived,
            .openIndex, .vendorDiagnostics, .systemNote, .userLogging, .controlOpen,
            .controlClose, .controlCommand, .controlEvent:
            break
        case nil:
            sink.take(.odd(.unknownPacket), Span(), on: noConnection, at: place)
        }
    }

    /// An adapter that has not been started may have no address yet.
    private mutating func note(_ address: UInt64?, of adapter: UInt16) {
        guard let address, address != 0 else { return }
        adapters.change(adapter) { $0.address = address }
    }
}

/// What a record of Linux' Bluetooth monitor is: `BTSNOOP_OPCODE_*` of BlueZ, `HCI_MON_*` of
/// the kernel.
enum MonitorOpcode: UInt16, Hashable, Sendable {
    case newIndex = 0
    case deleteIndex = 1
    case command = 2
    case event = 3
    case aclSent = 4
    case aclReceived = 5
    case synchronousSent = 6
    case synchronousReceived = 7
    case openIndex = 8
    case closeIndex = 9
    case indexInformation = 10
    case vendorDiagnostics = 11
    case systemNote = 12
    case userLogging = 13
    case controlOpen = 14
    case controlClose = 15
    case controlCommand = 16
    case controlEvent = 17
    case isochronousSent = 18
    case isochronousReceived = 19
}
