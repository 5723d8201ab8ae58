/// The state of a link in the air: the last packet of each side, and the progress of encryption.
///
/// The central counts as the host: its packets go `toController`.
struct RadioState: Sendable {
    /// The progress of encryption (volume 6, part B, 5.1.3).
    enum Encryption: Hashable, Sendable {
        case none
        /// The peripheral has agreed to encrypt; its next message in clear is the last one.
        case agreed
        /// The peripheral has sent its last message in clear.
        case begun
        case running
    }

    var encryption = Encryption.none
    /// The length of the integrity check after a packet decrypted by the sniffer; `nil` until it is
    /// known. Sniffers differ, so it is learned from a packet that has its own length.
    var checkLength: Int?
    var hasNotedUnreadable = false
    /// The bit of the sequence and a hash of the content of the last packet of each side.
    private var lastSent = ByWay<(sequence: Bool, content: UInt64)?>(nil)
    private var last: (way: HCIDirection, time: Int64)?

    /// The maximum time between a packet and its answer. An answer takes up to 2,120 µs for the
    /// longest packet at 1 Mbit/s and 150 µs between packets; connection events are at least 7,500
    /// µs apart.
    private static let answerMicroseconds: Int64 = 3000

    /// The way of the next packet by its time alone: the central opens each connection event, and
    /// then both sides alternate.
    func wayByTime(_ microseconds: Int64) -> HCIDirection {
        guard let last else { return .toController }
        let (gap, overflow) = microseconds.subtractingReportingOverflow(last.time)
        let isAnswer = !overflow && (0..<Self.answerMicroseconds).contains(gap)
        return isAnswer ? last.way.opposite : .toController
    }

    enum Succession: Hashable, Sendable {
        case new
        /// The same packet again, as the other side did not acknowledge it.
        case repeated
        /// Another packet with the same number, as a packet between them was missed.
        case afterGap
    }

    /// Notes a packet, and compares it with the last one of its side.
    ///
    /// A sequence number has one bit. The same bit again is a repetition only if the content is
    /// the same too; else a packet between them was missed.
    mutating func note(
        sequence: Bool, content: UInt64, _ way: HCIDirection, at microseconds: Int64
    ) -> Succession {
        last = (way, microseconds)
        let previous = lastSent[way]
        lastSent[way] = (sequence, content)
        guard let previous, previous.sequence == sequence else { return .new }
        return previous.content == content ? .repeated : .afterGap
    }
}
