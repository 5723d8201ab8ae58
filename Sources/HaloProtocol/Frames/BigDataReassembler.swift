/// Joins notifications of the ring's second service to frames.
///
/// A frame begins with six bytes, but the notifications that continue it have no header of their
/// own: one may begin with the marker by chance, and one may be a whole other frame that the ring
/// sent in between. Which of these it was is known only when a length is reached and a checksum
/// is right or wrong. Until then every possibility is kept, by these rules.
///
/// 1. **Where frames begin.** While nothing is open, at the next marker. While a frame is open,
///    only at the beginning of a notification, or right behind a frame that has just ended. Bytes
///    that belong to nothing are a fault, and behind them in the same notification a frame may
///    begin at any marker.
/// 2. **Who gets the bytes.** All frames that may be open get them, until their length is reached:
///    each one is right if whatever began inside of it was an illusion.
/// 3. **Right checksum.** A frame that is complete and right is an event. If it began inside of
///    another, its bytes are cut out, and the outer one goes on from where it had been. Where two
///    are right at the same byte, the outer one wins. A frame should also end where the
///    notification ends or the next header begins. If it does not, it waits as in rule 4 for what
///    began inside of it: the first byte of that may be just the one that it lacked. If nothing
///    did, or nothing comes of that, the outermost is an event after all; an inner one is taken
///    for a coincidence, unless no outer frame can take its bytes.
/// 4. **Wrong checksum.** A frame that is complete and wrong waits as long as a frame is open that
///    began inside of it. If none is, an inner one was an illusion if an outer one can take its
///    bytes; otherwise it is a fault, and so is the outermost. What follows it is looked at anew.
/// 5. **Same record.** Once an inner frame is right, an outer one of the same id has been given up
///    by the ring: it is a fault.
/// 6. **Too many.** At most six frames are open. Of one more and the inner ones, that which waits
///    for most bytes is an illusion: the length of an illusion is any number up to the limit, that
///    of a frame is short. The outermost stays.
/// 7. **Giving up.** There is no clock here. ``abandon()`` turns what is open into a fault; call
///    it when an answer is overdue and before each request.
///
/// A frame that is damaged in the air inside of another one may take that one with it. No byte is
/// ever dropped but by an ``BigDataFault/Kind/overflow`` of the queue: it is in a frame or a fault.
///
/// *Bounds.* Each open frame but the innermost holds fewer bytes than it announces before the next
/// begins, so at most six times the limit is kept, and one event for each place in the queue.
/// Each byte is appended once, goes through at most six checksums (a frame that goes on after a
/// cut resumes a checksum it had noted), moves forward at most five times (when frames before it
/// are given up, and none can begin before it later), and is copied into one event. So the work
/// is linear in the bytes and in what faults repeat of them, whatever they are.
public struct BigDataReassembler: Sendable {
    /// What came of the bytes.
    public enum Event: Hashable, Sendable {
        /// A whole frame with a right checksum.
        case frame(BigDataFrame)
        /// A frame of the UART service: some firmware is said to send raw sensor values here.
        case uart(Frame)
        /// Bytes that are none.
        case fault(BigDataFault)
    }

    /// The longest payload that is waited for, 0 to ``BigDataFrame/maximumPayloadLength``.
    public let maximumPayloadLength: Int

    private(set) var hypotheses = BigDataHypotheses()
    private var events: BigDataEventQueue

    /// Starts with nothing received; at least two events are kept until they are fetched.
    ///
    /// A length that no header can announce is taken for the next one that it can.
    public init(
        maximumPayloadLength: Int = BigDataFrame.maximumPayloadLength, maximumEventCount: Int = 64
    ) {
        self.maximumPayloadLength = min(
            max(maximumPayloadLength, 0), BigDataFrame.maximumPayloadLength)
        events = BigDataEventQueue(limit: maximumEventCount)
    }

    /// How many bytes wait for the rest of their frame.
    public var pendingByteCount: Int { hypotheses.log.count }

    /// The next event, in the order in which they came about.
    public mutating func nextEvent() -> Event? { events.next() }

    /// Gives up what is open: the bytes that have come become a fault.
    public mutating func abandon() {
        guard !hypotheses.isEmpty else { return }
        let length = hypotheses.lengthIfRight(0)
        emit(hypotheses.removeAll(), right: length, rest: .abandoned)
    }

    /// Takes one notification in.
    public mutating func receive(_ chunk: some Sequence<UInt8>) {
        let isReceived: Void? = chunk.withContiguousStorageIfAvailable { buffer in
            unsafe receive(buffer.span)
        }
        if isReceived == nil {
            let copy = ContiguousArray(chunk)
            receive(copy.span)
        }
    }

    /// Takes one notification in.
    public mutating func receive(_ chunk: Span<UInt8>) {
        var cursor = Cursor()
        while cursor.position < chunk.count {
            if hypotheses.isEmpty {
                if receiveUART(chunk, &cursor) || skip(chunk, &cursor) { continue }
                hypotheses.open()
            } else if chunk[cursor.position] == BigDataFrame.marker {
                openInner(chunk, cursor)
            }
            cursor.isBoundary = false
            var end = chunk.count
            if let count = hypotheses.bytesUntilDecision, count < end - cursor.position {
                end = cursor.position + count
            }
            if cursor.isResynchronising {
                end = min(end, cursor.marker(after: cursor.position, in: chunk))
            }
            hypotheses.append(chunk.extracting(cursor.position..<end))
            cursor.position = end
            settle(chunk, &cursor)
        }
    }
}

extension BigDataReassembler {
    /// Where in a notification the reassembler is.
    private struct Cursor {
        var position = 0
        /// Whether a frame may begin here although one is open.
        var isBoundary = true
        /// Whether a frame may begin at any marker.
        var isResynchronising = false
        private var nextMarker = 0

        init() {}

        /// Where the next marker behind a place is, or the end; each byte is looked at once.
        mutating func marker(after position: Int, in chunk: Span<UInt8>) -> Int {
            nextMarker = max(nextMarker, position + 1)
            while nextMarker < chunk.count, chunk[nextMarker] != BigDataFrame.marker {
                nextMarker += 1
            }
            return min(nextMarker, chunk.count)
        }
    }

    private mutating func report(_ kind: BigDataFault.Kind, _ bytes: [UInt8]) {
        events.append(.fault(BigDataFault(kind, bytes: bytes)))
    }

    /// Takes a frame of the UART service: one that stands alone, or before other frames.
    private mutating func receiveUART(_ chunk: Span<UInt8>, _ cursor: inout Cursor) -> Bool {
        let end = cursor.position + Frame.length
        let isAlone = (chunk.count - cursor.position) % Frame.length == 0
        guard end <= chunk.count, isAlone || startsFrame(chunk, at: end),
            let frame = try? Frame(decoding: chunk.extracting(cursor.position..<end)),
            frame.opcode != BigDataFrame.marker || frame.refusedOpcode != nil
        else { return false }
        events.append(.uart(frame))
        cursor.position = end
        return true
    }

    /// Reports the bytes before the next marker, if there are any.
    private mutating func skip(_ chunk: Span<UInt8>, _ cursor: inout Cursor) -> Bool {
        let start = cursor.position
        guard chunk[start] != BigDataFrame.marker else { return false }
        let end = cursor.marker(after: start, in: chunk)
        let bytes = Array(chunk.extracting(start..<end))
        report(.unexpectedBytes, bytes)
        cursor.position = end
        cursor.isResynchronising = true
        return true
    }

    /// A marker stands where a frame may begin inside of the open ones.
    private mutating func openInner(_ chunk: Span<UInt8>, _ cursor: Cursor) {
        guard cursor.isBoundary || cursor.isResynchronising else { return }
        if hypotheses.isFull {
            let rival = hypotheses.leastLikelyInner
            let length = frameLength(chunk, at: cursor.position)
            guard cursor.isBoundary, length ?? 0 < hypotheses.outstanding(rival) else { return }
            hypotheses.forget(rival)
            bury()
        }
        hypotheses.open()
    }

    /// How long a frame is that begins at a place, as far as the notification says it.
    private func frameLength(_ chunk: Span<UInt8>, at position: Int) -> Int? {
        guard position + 3 < chunk.count else { return nil }
        let payloadLength = Int(chunk[position + 2]) | Int(chunk[position + 3]) << 8
        return BigDataFrame.headerLength + payloadLength
    }

    /// Whether what follows in the notification can be the beginning of a frame.
    private func startsFrame(_ chunk: Span<UInt8>, at position: Int) -> Bool {
        guard chunk[position] == BigDataFrame.marker else { return false }
        let length = frameLength(chunk, at: position) ?? 0
        return length <= BigDataFrame.headerLength + maximumPayloadLength
    }

    /// Decides what can be decided.
    private mutating func settle(_ chunk: Span<UInt8>, _ cursor: inout Cursor) {
        readHeaders(&cursor)
        var level = 0
        while level < hypotheses.stack.count {
            let hypothesis = hypotheses.stack[level]
            guard hypotheses.log.count == hypothesis.end, hypothesis.isRight else {
                level += 1
                continue
            }
            let isExact =
                cursor.position == chunk.count || startsFrame(chunk, at: cursor.position)
            let isInterrupted = hypotheses.isInterrupted(level)
            let isCoincidence = (0..<level).contains(where: hypotheses.isLive)
            if isExact || !isInterrupted && !isCoincidence {
                complete(level)
                cursor.isBoundary = true
                break
            }
            if isInterrupted { level += 1 } else { hypotheses.forget(level) }
        }
        if bury() { cursor.isResynchronising = true }
    }

    private mutating func readHeaders(_ cursor: inout Cursor) {
        for level in hypotheses.stack.indices.reversed() {
            guard let header = hypotheses.readHeader(level),
                header.payloadLength > maximumPayloadLength
            else { continue }
            if level > 0 {
                hypotheses.forget(level)
                continue
            }
            let isOnlyOne = hypotheses.stack.count == 1
            report(.tooLong, isOnlyOne ? hypotheses.restart() : hypotheses.dropLowest())
            cursor.isResynchronising = true
        }
    }

    /// A frame is whole and right.
    private mutating func complete(_ level: Int) {
        guard let frame = hypotheses.frame(level) else { return }
        hypotheses.cut(level)
        for outer in (0..<level).reversed() where hypotheses.id(outer) == frame.id {
            if outer > 0 {
                hypotheses.forget(outer)
            } else {
                report(.abandoned, hypotheses.dropLowest())
            }
        }
        events.append(.frame(frame))
    }

    /// Removes the frames that can no longer become right. Answers whether that was a fault.
    @discardableResult
    private mutating func bury() -> Bool {
        var isFault = false
        while let level = hypotheses.stack.indices.last(where: hypotheses.isDoomed) {
            let isTop = level == hypotheses.stack.count - 1
            if level == 0 {
                let length = hypotheses.lengthIfRight(0)
                emit(hypotheses.dropLowest(), right: length, rest: .wrongChecksum)
                isFault = true
            } else if isTop, !hypotheses.isLive(level - 1), hypotheses.lengthIfRight(0) == nil {
                let length = hypotheses.lengthIfRight(level)
                emit(hypotheses.bytes(from: level), right: length, rest: .wrongChecksum)
                hypotheses.cut(level)
                isFault = true
            } else {
                hypotheses.forget(level)
            }
        }
        return isFault
    }

    /// Reports the bytes of a frame that is removed: a right one had waited, what follows is none.
    private mutating func emit(
        _ bytes: [UInt8], right length: Int?, rest kind: BigDataFault.Kind
    ) {
        guard let length, length <= bytes.count, length >= BigDataFrame.headerLength else {
            report(kind, bytes)
            return
        }
        let payload = Array(bytes[BigDataFrame.headerLength..<length])
        events.append(.frame(BigDataFrame(id: bytes[1], unchecked: payload)))
        if length < bytes.count { report(.unexpectedBytes, Array(bytes[length...])) }
    }
}
