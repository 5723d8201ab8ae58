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
