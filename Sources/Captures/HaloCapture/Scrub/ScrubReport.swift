/// The counts of replacements in a capture.
public struct ScrubReport: Hashable, Sendable {
    /// A packet that could not be decoded, and so was replaced completely.
    public struct Obscured: Hashable, Sendable {
        /// The last line of the packet in the original, counted from 1.
        public let line: Int
        /// The channel of the packet.
        public let channel: CaptureChannel
        /// The reason: the decoder's error, or the lack of a decoder.
        public let reason: String
    }

    /// The number of replaced values of each kind, including those in tags. For other comments, the
    /// number of dropped or rewritten ones.
    public internal(set) var replaced: [ScrubKind: Int] = [:]
    package internal(set) var lineCount = 0
    package internal(set) var packetCount = 0
    package internal(set) var obscuredCount = 0
    /// The first packets that could not be decoded, at most 100.
    public internal(set) var obscured: [Obscured] = []

    package static let mostObscured = 100

    /// The data that a scrubbed capture still contains, in the words of ``Scrubber``.
    package static let remains: [String] = [
        "when each packet came, the time of day, and the offset of a clock from UTC",
        "the order and the number of packets, which are the same, and the signal's strength",
        "model, firmware, what the device can do, and its characteristics",
        "settings: intervals, hours, languages, units, switches; the phone's system",
        "which slots of a day have values, how many stages a sleep has, how long texts are",
        "charge of the battery, kinds and lengths of workouts",
    ]

    /// The reason for a packet without a decoder.
    static let undescribed = "no such packet is described"

    mutating func count(_ kind: ScrubKind, _ number: Int = 1) {
        replaced[kind, default: 0] += number
    }

    mutating func note(_ obscured: Obscured) {
        obscuredCount += 1
        if self.obscured.count < Self.mostObscured { self.obscured.append(obscured) }
    }
}
