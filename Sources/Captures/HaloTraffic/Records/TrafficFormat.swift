/// A format of recorded Bluetooth traffic.
///
/// A new format is a new case: a `switch` over the formats needs a `default`.
public enum TrafficFormat: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Android's HCI snoop log, and the output of `btmon -w`.
    case btsnoop
    /// The classic format of tcpdump and Wireshark.
    case pcap
    /// Wireshark's format.
    case pcapng
    /// The format of Apple's PacketLogger, `.pklg`.
    case packetLogger = "pklg"
    /// Android's compressed log of its newest packets: by itself, or in the text of a bug report.
    case btsnooz
    /// The text output of `btmon`.
    case btmonText = "btmon"
    /// The log of nRF Connect, for Android, iOS or desktops.
    case nrfConnect = "nrf"
    /// Wireshark's export of packets as plain text.
    case wireshark
    /// Wireshark's export of packets as JSON.
    case wiresharkJSON = "wireshark-json"
    /// Lines of hexadecimal with a direction, as apps log them.
    case hexLines = "hex"
    /// The 16-byte frames of a ring one after another, without separators.
    case ringFrames = "frames"
    /// This package's own captures.
    case capture = "halo"

    /// The format's name, as used on the command line.
    public var name: String { rawValue }

    /// The number of bytes at the beginning of a file that suffice to detect its format: a log of
    /// text may begin with other text.
    public static let detectionLength = 1 << 18
    /// The number of bytes that suffice to detect a binary format.
    static let binaryDetectionLength = 4096

    /// The format's name.
    public var description: String { name }
}
