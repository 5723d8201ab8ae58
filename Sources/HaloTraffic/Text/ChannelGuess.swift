import HaloCapture
import HaloProtocol

/// Tells which of a ring's channels bytes went over, by what they are.
struct ChannelGuess: Sendable {
    /// How many bytes of a long frame are still to come, each way.
    private var missing: [Direction: Int] = [:]
    /// Whether a frame of sixteen bytes has gone each way.
    private var hasFrames: [Direction: Bool] = [:]

    /// The channel, if the log names it or the bytes tell it.
    mutating func channel(
        of bytes: Span<UInt8>, _ direction: Direction, named: CaptureChannel?
    ) -> CaptureChannel? {
        if let named, named != .bigData {
            if named == .uart { hasFrames[direction] = true }
            return named
        }
        let isFrame = (try? Frame(decoding: bytes)) != nil
        if isFrame, named == nil {
            hasFrames[direction] = true
            return .uart
        }
        if let count = missing[direction], count > 0 {
            missing[direction] = max(0, count - bytes.count)
            return .bigData
        }
        if bytes.count >= BigDataFrame.headerLength, bytes[0] == BigDataFrame.marker {
            let length = Int(bytes[2]) | Int(bytes[3]) << 8
            missing[direction] = max(0, BigDataFrame.headerLength + length - bytes.count)
            return .bigData
        }
        if named == nil, bytes.count == Frame.length, hasFrames[direction] == true {
            return .uart
        }
        return named
    }
}
