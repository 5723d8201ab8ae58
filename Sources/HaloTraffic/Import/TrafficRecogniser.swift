import HaloProtocol

/// Looks at the first values that go one way over an attribute, to say what they look like.
///
/// A 16-byte frame of a ring has a checksum of 8 bits: a few of them, without an exception, are
/// proof enough. A big-data frame has one of 16 bits and a length. A heart-rate measurement has
/// neither: it must be strictly right each time, and vary as hearts do.
struct TrafficRecogniser: Hashable, Sendable {
    private var seen = 0
    private var frames = 0
    private var knownFrames = 0
    private var beats = 0
    private var steadyBeats = 0
    private var livelyBeats = 0
    private var lastRate: UInt16 = 0
    private var lastFlags: UInt8 = 0
    /// Whether a big-data frame with a right checksum was among them.
    var hasBigData = false

    /// How many values are looked at.
    static let most = 64

    /// Whether it wants to see more.
    @inline(__always)
    var isCurious: Bool { seen < Self.most }

    /// How many frames of a ring it has seen.
    var frameCount: Int { frames }

    /// Whether the values are frames of a ring: all of them, and two, or one of a known command.
    var hasFrames: Bool { frames == seen && (frames >= 2 || knownFrames >= 1) }

    /// Whether the values are heart-rate measurements: at least eight.
    var hasBeats: Bool {
        seen >= 8 && beats == seen && steadyBeats == seen - 1 && livelyBeats > seen / 2
    }

    mutating func take(_ value: Span<UInt8>, _ direction: Direction) {
        seen += 1
        if value.count == Frame.length {
            takeFrame(value, direction)
        } else if value.count > BigDataFrame.headerLength, value[0] == BigDataFrame.marker {
            if (try? BigDataFrame(decoding: value)) != nil { hasBigData = true }
        }
        if direction == .fromDevice { takeBeat(value) }
    }

    private mutating func takeFrame(_ value: Span<UInt8>, _ direction: Direction) {
        guard let frame = try? Frame(decoding: value), frame.opcode != 0 else { return }
        frames += 1
        if CommandCatalog.entry(opcode: frame.opcode)?.form(direction) != nil {
            knownFrames += 1
        }
    }

    private mutating func takeBeat(_ value: Span<UInt8>) {
        guard value.count >= 2, let beat = try? HeartRateMeasurement(decoding: value),
            beat.reservedFlags == 0, beat.beatsPerMinute == 0 || 25...250 ~= beat.beatsPerMinute
        else { return }
        beats += 1
        // Which fields there are may vary; how they are written does not.
        let flags = value[0] & 0x05
        let rate = beat.beatsPerMinute
        let change = rate > lastRate ? rate - lastRate : lastRate - rate
        let isSteady = rate == 0 || lastRate == 0 || change <= 30
        if beats > 1, flags == lastFlags, isSteady { steadyBeats += 1 }
        if rate > 0 { livelyBeats += 1 }
        lastRate = rate
        lastFlags = flags
    }
}
