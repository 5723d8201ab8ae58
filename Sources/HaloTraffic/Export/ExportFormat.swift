/// A format that a capture can be exported to; each of them Wireshark reads.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Android's HCI snoop log, which `btmon` reads, too.
    case btsnoop
    /// Wireshark's own.
    case pcapng
    /// The older one of tcpdump; its times end in the year 2106.
    case pcap

    /// The format as one that traffic comes in.
    public var trafficFormat: TrafficFormat {
        switch self {
        case .btsnoop: .btsnoop
        case .pcapng: .pcapng
        case .pcap: .pcap
        }
    }
}
