/// What a scrubber did to a capture.
public struct ScrubReport: Hashable, Sendable {
    /// A packet that was not understood, so that all of it was replaced.
    public struct Obscured: Hashable, Sendable {
        /// The line of the original on which it ends, counted from 1.
        public let line: Int
        /// Where it was written, or where it came from.
        public let channel: CaptureChannel
        /// What was wrong with it, or that nobody has described it.
        public let reason: String
    }

    /// How many values of each kind were replaced, also in tags; of other comments, how many were
    /// dropped or rewritten.
    public internal(set) var replaced: [ScrubKind: Int] = [:]
    /// How many lines the original has.
    public internal(set) var lineCount = 0
    /// How many of them are packets.
    public internal(set) var packetCount = 0
    /// How many packets were not understood.
    public internal(set) var obscuredCount = 0
    /// The first of the packets that were not understood, at most ``mostObscured``.
    public internal(set) var obscured: [Obscured] = []

    /// How many packets a report names.
    public static let mostObscured = 100

    /// What a scrubbed capture still tells, in the words of ``Scrubber``.
    public static let remains: [String] = [
        "when each packet came, the time of day, and the offset of a clock from UTC",
        "the order and the number of packets, which are the same, and the signal's strength",
        "model, firmware, what the device can do, and its characteristics",
        "settings: intervals, hours, languages, units, switches; the phone's system",
        "which slots of a day have values, how many stages a sleep has, how long texts are",
        "charge of the battery, kinds and lengths of workouts",
    ]

    /// What is said of a packet that no decoder claims.
    static let undescribed = "nobody has described such a packet"

    mutating func count(_ kind: ScrubKind, _ number: Int = 1) {
        replaced[kind, default: 0] += number
    }

    mutating func note(_ obscured: Obscured) {
        obscuredCount += 1
        if self.obscured.count < Self.mostObscured { self.obscured.append(obscured) }
    }
}
