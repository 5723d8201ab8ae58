/// A format that a capture can be exported to; Wireshark reads each of them.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Android's HCI snoop log, which `btmon` reads as well.
    case btsnoop
    /// Wireshark's own format.
    case pcapng
    /// The older format of tcpdump, whose times end in 2106.
    case pcap
}
