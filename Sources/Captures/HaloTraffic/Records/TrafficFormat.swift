/// A format of recorded Bluetooth traffic.
public struct TrafficFormat: Hashable, Sendable {
    /// The format's name, as used on the command line.
    public let name: String

    /// Android's HCI snoop log, and the output of `btmon -w`.
    public static let btsnoop = TrafficFormat("btsnoop")
    /// The classic format of tcpdump and Wireshark.
    public static let pcap = TrafficFormat("pcap")
    /// Wireshark's format.
    public static let pcapng = TrafficFormat("pcapng")
    /// The format of Apple's PacketLogger, `.pklg`.
    public static let packetLogger = TrafficFormat("pklg")
    /// Android's compressed log of its newest packets: by itself, or in the text of a bug report.
    public static let btsnooz = TrafficFormat("btsnooz")
    /// The text output of `btmon`.
    public static let btmonText = TrafficFormat("btmon")
    /// Lines of hexadecimal with a direction, as apps log them.
    public static let hexLines = TrafficFormat("hex")
    /// The log of nRF Connect, for Android, iOS or desktops.
    public static let nrfConnect = TrafficFormat("nrf")
    /// Wireshark's export of packets as plain text.
    public static let wireshark = TrafficFormat("wireshark")
    /// Wireshark's export of packets as JSON.
    public static let wiresharkJSON = TrafficFormat("wireshark-json")
    /// The 16-byte frames of a ring one after another, without separators.
    public static let ringFrames = TrafficFormat("frames")
    /// This package's own captures.
    public static let capture = TrafficFormat("halo")

    package static let all: [TrafficFormat] = [
        .btsnoop, .pcap, .pcapng, .packetLogger, .btsnooz, .btmonText, .nrfConnect, .wireshark,
        .wiresharkJSON, .hexLines, .ringFrames, .capture,
    ]

    /// The number of bytes at the beginning of a file that suffice to detect its format: a log of
    /// text may begin with other text.
    public static let detectionLength = 1 << 18
    /// The number of bytes that suffice to detect a binary format.
    static let binaryDetectionLength = 4096

    package init?(name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(_ name: String) {
        self.name = name
    }
}

extension TrafficFormat: CustomStringConvertible {
    /// The format's name.
    public var description: String { name }
}
