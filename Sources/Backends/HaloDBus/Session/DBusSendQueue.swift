#if os(Linux)
internal import HaloTransport

/// Encoded messages that are queued until the socket accepts them.
///
/// Senders take turns: of each, a turn has the messages up to ``turnLength`` bytes, in the order of
/// their arrival, and the rest follows in later turns. So the order is that of arrival, unless a
/// sender has queued more than that. Its messages keep their order, and messages without a sender,
/// which are those of the bus, are in the current turn.
struct DBusSendQueue: Sendable {
    private struct Message: Sendable {
        let bytes: [UInt8]
        let descriptors: DBusDescriptors?
        /// The sender of a message that was not asked for.
        let sender: UInt64?
        var sentCount = 0
    }

    /// The last turn with messages of a sender, and their number of bytes.
    private struct Share: Sendable {
        var turn: Int
        var byteCount = 0
    }

    /// The bytes of a sender that are sent in one turn, but for the last message.
    static let turnLength = 1 << 16

    /// The messages by turns, the current one first.
    private var turns = [Queue<Message>()]
    /// The number of the current turn.
    private var currentTurn = 0
    private var shares: [UInt64: Share] = [:]
    /// The number of bytes that are not sent.
    private(set) var byteCount = 0
    /// The lengths of the queued messages that were not asked for, of each sender.
    private(set) var byteCounts: [UInt64: Int] = [:]
    /// The sum of ``byteCounts``.
    private(set) var foreignByteCount = 0

    // The current turn has messages if any has.
    var isEmpty: Bool { turns[0].isEmpty }

    /// Queues a message of a sender, or, for `nil`, one of the bus or of this program.
    ///
    /// - Parameters:
    ///   - isUnasked: `true` if the receiver has not asked for it.
    ///   - other: A sender whose messages come before it.
    mutating func append(
        _ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil, from sender: UInt64? = nil,
        isUnasked: Bool = false, after other: UInt64? = nil
    ) {
        byteCount += bytes.count
        let intruder = isUnasked ? sender : nil
        if let intruder {
            byteCounts[intruder, default: 0] += bytes.count
            foreignByteCount += bytes.count
        }
        let turn = turn(of: bytes.count, from: sender, after: other)
        while turns.count <= turn { turns.append(Queue()) }
        turns[turn].append(Message(bytes: bytes, descriptors: descriptors, sender: intruder))
    }

    /// Returns the index of the turn of a message.
    private mutating func turn(of count: Int, from sender: UInt64?, after other: UInt64?) -> Int {
        guard let sender else {
            return other.flatMap { shares[$0] }.map { max($0.turn - currentTurn, 0) } ?? 0
        }
        var share = shares[sender] ?? Share(turn: currentTurn)
        if share.turn < currentTurn { share = Share(turn: currentTurn) }
        if share.byteCount >= Self.turnLength { share = Share(turn: share.turn + 1) }
        share.byteCount += count
        shares[sender] = share
        return share.turn - currentTurn
    }

    /// Ends turns without messages.
    private mutating func endTurns() {
        while turns.count > 1, turns[0].isEmpty {
            turns.removeFirst()
            currentTurn += 1
            shares = shares.filter { $0.value.turn >= currentTurn }
        }
        if isEmpty { shares.removeAll(keepingCapacity: true) }
    }

    /// Sends until all is sent, or `write` returns `nil` instead of the number of accepted bytes.
    mutating func send(_ write: (UnsafeRawBufferPointer, DBusDescriptors?) -> Int?) {
        while let next = turns[0].first {
            let count = next.bytes.withUnsafeBytes { bytes in
                write(
                    UnsafeRawBufferPointer(rebasing: bytes[next.sentCount...]),
                    next.sentCount == 0 ? next.descriptors : nil)
            }
            guard let count else { return }
            byteCount -= count
            if next.sentCount + count >= next.bytes.count {
                _ = turns[0].popFirst()
                forget(next)
                if turns[0].isEmpty { endTurns() }
            } else {
                turns[0].updateFirst { $0.sentCount += count }
            }
        }
    }

    private mutating func forget(_ message: Message) {
        guard let sender = message.sender, let count = byteCounts[sender] else { return }
        foreignByteCount -= message.bytes.count
        let rest = count - message.bytes.count
        byteCounts[sender] = rest > 0 ? rest : nil
    }

    /// Removes the messages of a sender, but for one that is sent in part.
    mutating func removeMessages(from sender: UInt64) {
        guard byteCounts[sender] != nil else { return }
        for turn in turns.indices {
            var kept = Queue<Message>()
            while let next = turns[turn].popFirst() {
                guard next.sender == sender, next.sentCount == 0 else {
                    kept.append(next)
                    continue
                }
                byteCount -= next.bytes.count
                forget(next)
            }
            turns[turn] = kept
        }
        endTurns()
    }
}
#endif
