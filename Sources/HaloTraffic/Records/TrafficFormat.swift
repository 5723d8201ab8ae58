import HaloCapture
import HaloProtocol

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

extension TrafficFormat {
    /// How much of a file's beginning is enough to tell its format.
    public static let detectionLength = 4096

    /// The format of a file that begins like this; nothing if it is none of the known ones.
    ///
    /// - Parameter beginning: The first ``detectionLength`` bytes, or all if there are fewer.
    public static func detect(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if beginning.has(BTSnoopParser.magic) { return .btsnoop }
        if PcapParser.Magic.found(in: beginning) != nil { return .pcap }
        if beginning.has("\n\r\r\n") { return .pcapng }
        if RingFrameParser.looksLike(beginning) { return .ringFrames }
        if PacketLoggerParser.isBeginning(beginning) { return .packetLogger }
        if FormatHints.isWideText(beginning), let log = TextDetection.log(beginning) { return log }
        if FormatHints.unreadable(beginning) != nil { return nil }
        return TextDetection.format(of: beginning)
    }
}

/// Tells which of the formats that are text a text is in, by its beginning.
enum TextDetection {
    /// The format of a text; nothing if it is none of them, or no text.
    static func format(of beginning: Span<UInt8>) -> TrafficFormat? {
        isCapture(beginning) ? .capture : log(beginning)
    }

    /// The format of a log, whatever its encoding.
    static func log(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if BtmonTextParser.looksLike(beginning) { return .btmonText }
        return HexLineParser.looksLike(beginning) ? .hexLines : nil
    }

    /// Whether it is what this package writes: a capture says so, a fixture reads as one.
    private static func isCapture(_ text: Span<UInt8>) -> Bool {
        let mark = text.has("\u{FEFF}") ? 3 : 0
        if text.has("halo-capture", at: mark) { return true }
        var end = text.count
        while end > 0, text[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        var reader = CaptureReader()
        let lines = text.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        try? reader.read(lines)
        return reader.capture.lines.contains { line in
            switch line {
            case .packet, .event: true
            default: false
            }
        }
    }
}
