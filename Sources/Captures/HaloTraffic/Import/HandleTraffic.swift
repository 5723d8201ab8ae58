import HaloProtocol

struct HandleTraffic: Sendable {
    var handle: UInt16
    var written = ValueCount()
    var notified = ValueCount()
    var read = ValueCount()
    var refusalCount = 0
    /// The number of written values that could switch notifications.
    var configurationCount = 0
    var toDevice = TrafficRecogniser()
    var fromDevice = TrafficRecogniser()
    /// The index of the survey's reassembler for the notifications.
    var reassembler: Int?

    /// `true` if there were only writes, and all of them could switch notifications.
    var isConfiguration: Bool {
        configurationCount > 0 && configurationCount == written.count && notified.count == 0
    }

    /// `true` if a value could switch notifications: two bytes, a number of 0 to 3.
    static func isConfiguration(_ value: Span<UInt8>) -> Bool {
        value.count == 2 && value[0] <= 3 && value[1] == 0
    }
}

/// Recognises a ring or a heart-rate sensor by the first values of an attribute in one direction.
///
/// A 16-byte frame of a ring has a checksum of 8 bits: a few correct frames, without an exception,
/// are enough. A big-data frame has a checksum of 16 bits and a length. A heart-rate measurement
/// has neither: every one must be strictly valid, and the values must vary like a heart's.
struct TrafficRecogniser: Hashable, Sendable {
    private var seen = 0
    private(set) var frameCount = 0
    private var knownFrames = 0
    private var beats = 0
    private var steadyBeats = 0
    private var livelyBeats = 0
    private var lastRate: UInt16 = 0
    private var lastFlags: UInt8 = 0
    /// `true` if a big-data frame with a correct checksum was among the values.
    var hasBigData = false

    /// The maximum number of examined values.
    static let most = 64

    @inline(__always)
    var needsMore: Bool { seen < Self.most }

    /// `true` if all values are frames of a ring: at least two, or one of a known command.
    var hasFrames: Bool { frameCount == seen && (frameCount >= 2 || knownFrames >= 1) }

    /// `true` if the values are frames of a ring, except for a few: a frame may be damaged on its
    /// way.
    var isMostlyFrames: Bool {
        frameCount * 4 >= seen * 3 && (frameCount >= 2 || knownFrames >= 1)
    }

    /// `true` if all values are heart-rate measurements, and there are at least eight.
    var hasBeats: Bool {
        seen >= 8 && beats == seen && steadyBeats == seen - 1 && livelyBeats > seen / 2
    }

    mutating func add(_ value: Span<UInt8>, _ direction: Direction) {
        seen += 1
        if value.count == Frame.length {
            addFrame(value, direction)
        } else if value.count > BigDataFrame.headerLength, value[0] == BigDataFrame.marker {
            if (try? BigDataFrame(decoding: value)) != nil { hasBigData = true }
        }
        if direction == .fromDevice { addBeat(value) }
    }

    private mutating func addFrame(_ value: Span<UInt8>, _ direction: Direction) {
        guard let frame = try? Frame(decoding: value), frame.opcode != 0 else { return }
        frameCount += 1
        if CommandCatalog.entry(opcode: frame.opcode)?.form(direction) != nil {
            knownFrames += 1
        }
    }

    private mutating func addBeat(_ value: Span<UInt8>) {
        guard value.count >= 2, let beat = try? HeartRateMeasurement(decoding: value),
            beat.reservedFlags == 0, beat.beatsPerMinute == 0 || 25...250 ~= beat.beatsPerMinute
        else { return }
        beats += 1
        // The fields may vary; the format of the rate and the sensor contact may not.
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
