import HaloProtocol

/// What is remembered of a link in the air: who sent what last, and whether it can be read.
///
/// The central takes the part of the host: what it sends goes `toController`.
struct RadioState: Sendable {
    /// How far the two sides are with encryption (volume 6, part B, 5.1.3).
    enum Encryption: Hashable, Sendable {
        case none
        /// The peripheral has agreed; what follows its last word is encrypted.
        case agreed
        /// The peripheral has said its last word in clear.
        case begun
        case running
    }

    /// What one side sent last.
    struct Sent: Hashable, Sendable {
        var sequence: Bool
        var content: UInt64
    }

    var encryption = Encryption.none
    /// How many bytes of integrity check stand behind a packet that the recorder decrypted:
    /// recorders differ, so this is learned from a packet that tells its own length.
    var checkLength: Int?
    var hasSaidUnreadable = false
    private var sentByCentral: Sent?
    private var sentByPeripheral: Sent?
    private var lastWay: HCIDirection?
    private var lastTime: Int64 = 0

    /// The start of a packet and that of the answer to it are less apart than this; those of two
    /// connection events are more: 2,120 µs for the longest packet at 1 Mbit/s and 150 µs between
    /// packets, against intervals of at least 7,500 µs.
    private static let answerMicroseconds: Int64 = 3000

    /// Who is sending, told by time alone: the central opens each connection event, and then
    /// they alternate.
    func wayByTime(_ microseconds: Int64) -> HCIDirection {
        let (gap, overflow) = microseconds.subtractingReportingOverflow(lastTime)
        guard let lastWay, !overflow, (0..<Self.answerMicroseconds).contains(gap) else {
            return .toController
        }
        return lastWay.opposite
    }

    /// What became of a packet's sequence number.
    enum Succession: Hashable, Sendable {
        case new
        /// The same packet again: the other side did not acknowledge it.
        case repeated
        /// Another packet under the same number: one between them was not heard.
        case afterGap
    }

    /// Notes a packet, and says whether it is a new one.
    ///
    /// A sequence number has one bit. The same bit again is a repetition only if the content is
    /// the same too; else a packet between them was missed.
    mutating func note(
        _ sent: Sent, _ way: HCIDirection, at microseconds: Int64
    ) -> Succession {
        lastWay = way
        lastTime = microseconds
        let previous: Sent?
        switch way {
        case .toController:
            previous = sentByCentral
            sentByCentral = sent
        case .toHost:
            previous = sentByPeripheral
            sentByPeripheral = sent
        }
        guard let previous, previous.sequence == sent.sequence else { return .new }
        return previous.content == sent.content ? .repeated : .afterGap
    }
}
