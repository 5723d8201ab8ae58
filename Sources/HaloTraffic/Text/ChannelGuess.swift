import HaloCapture
import HaloProtocol

/// Tells which of a ring's channels bytes went over, by what they are.
struct ChannelGuess: Sendable {
    /// The pieces of long frames, each way.
    private var pieces: [Direction: BigDataFrame.Pieces] = [:]
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
        if pieces[direction, default: BigDataFrame.Pieces()].goesOn(bytes)
            || BigDataFrame.announcedLength(of: bytes) != nil
        {
            return .bigData
        }
        if named == nil, bytes.count == Frame.length, hasFrames[direction] == true {
            return .uart
        }
        return named
    }
}
