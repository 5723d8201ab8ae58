import HaloProtocol

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
        if PacketLoggerParser.isBeginning(beginning) { return .packetLogger }
        if FormatHints.unreadable(beginning) != nil { return nil }
        if isRingFrames(beginning) { return .ringFrames }
        return TextDetection.format(of: beginning)
    }

    /// Whether the bytes are whole frames of a ring with right sums, with line feeds between or
    /// without.
    private static func isRingFrames(_ bytes: Span<UInt8>) -> Bool {
        for separator in 0...1 {
            let stride = Frame.length + separator
            var offset = 0
            var isBlank = true
            while offset <= bytes.count - Frame.length {
                let end = offset + Frame.length
                guard let frame = try? Frame(decoding: bytes.extracting(offset..<end)),
                    separator == 0 || end >= bytes.count || bytes[end] == UInt8(ascii: "\n")
                else { break }
                if frame.opcode != 0 { isBlank = false }
                offset += stride
            }
            let isWhole = offset > bytes.count - Frame.length && offset > 0
            let isCut = bytes.count >= detectionLength || offset >= bytes.count
            if isWhole, isCut, !isBlank { return true }
        }
        return false
    }
}
