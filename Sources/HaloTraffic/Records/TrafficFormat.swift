/// A format that Bluetooth traffic comes in.
public struct TrafficFormat: Hashable, Sendable {
    let code: UInt8
    /// The format's name, as people and the command line write it.
    public let name: String

    /// Android's HCI snoop log and what `btmon -w` writes.
    public static let btsnoop = TrafficFormat(code: 0, name: "btsnoop")
    /// The classic format of tcpdump and Wireshark.
    public static let pcap = TrafficFormat(code: 1, name: "pcap")
    /// Wireshark's format.
    public static let pcapng = TrafficFormat(code: 2, name: "pcapng")
    /// What Apple's PacketLogger writes, `.pklg`.
    public static let packetLogger = TrafficFormat(code: 3, name: "pklg")
    /// What `btmon` prints.
    public static let btmonText = TrafficFormat(code: 4, name: "btmon")
    /// Lines of hexadecimal with a direction, as apps log them.
    public static let hexLines = TrafficFormat(code: 5, name: "hex")
    /// The 16-byte frames of a ring one after another, without anything between.
    public static let ringFrames = TrafficFormat(code: 6, name: "frames")
    /// This package's own captures.
    public static let capture = TrafficFormat(code: 7, name: "halo")

    /// Every format.
    public static let all: [TrafficFormat] = [
        .btsnoop, .pcap, .pcapng, .packetLogger, .btmonText, .hexLines, .ringFrames, .capture,
    ]

    /// The format of that name.
    public init?(name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(code: UInt8, name: String) {
        self.code = code
        self.name = name
    }
}

extension TrafficFormat: CustomStringConvertible {
    /// The format's name.
    public var description: String { name }
}
