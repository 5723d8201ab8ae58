/// Joins notifications of the ring's second service to frames.
///
/// A frame begins with a header of six bytes, but the notifications that continue it have none. If
/// a notification begins with the marker, it may continue the frame by chance, or be another frame
/// that the ring sent in between. The checksum decides, once a length is reached. Until then every
/// possible frame is kept open, by these rules.
///
/// 1. **Where frames begin.** While no frame is open, at the next marker. While a frame is open,
///    only at the beginning of a notification, or right after a frame that has just ended. Bytes
///    that belong to no frame are a fault, and after them in the same notification a frame may
///    begin at any marker.
/// 2. **Bytes.** Every open frame receives all bytes until its length is reached: it is right if
///    the markers inside of it began no frame.
/// 3. **Right checksum.** A frame that is complete and right is an event. If it began inside of
///    another, its bytes are cut out, and the outer one goes on from there. Where two are right at
///    the same byte, the outer one wins. A frame should also end where the notification ends or the
///    next header begins. If it does not, it waits as in rule 4 for the frames that began inside of
///    it: the first byte of such a frame may be the last byte of this one. If none began, or none
///    becomes right, the outermost frame is an event after all; an inner one counts as a
///    coincidence, unless no outer frame can use its bytes.
/// 4. **Wrong checksum.** A frame that is complete and wrong waits while a frame is open that began
///    inside of it. If none is open, an inner frame is dropped if an outer one can use its bytes;
///    otherwise it is a fault, and so is the outermost. The bytes after a fault are scanned anew.
/// 5. **Same record.** Once an inner frame is right, the ring has abandoned an outer one of the
///    same id: that is a fault.
/// 6. **Too many.** At most six frames are open. Of a seventh and the inner ones, the one that
///    waits for most bytes is dropped: a marker by chance announces any length up to the limit, a
///    real frame is short. The outermost stays.
/// 7. **Abandoning.** The reassembler has no clock. ``abandon()`` turns the open frames into a
///    fault; call it when a reply is overdue and before each request.
///
/// A damaged frame inside of another one may destroy that one as well. Every byte ends in a frame
/// or a fault; only an ``BigDataFault/Kind/overflow`` of the queue drops bytes.
///
/// *Bounds.* Each open frame but the innermost has fewer bytes than it announces when the next one
/// begins, so at most six times the limit is kept, plus the events of the queue. Each byte is
/// appended once, goes through at most six checksums (after a cut, a frame resumes a checksum that
/// was saved), moves forward at most five times (when frames before it are abandoned, and none can
/// begin before it later), and is copied into one event. For any input, the work is linear in the
/// bytes received and the bytes that faults repeat.
public struct BigDataReassembler: Sendable {
    /// A frame, or a fault.
    public enum Event: Hashable, Sendable, SessionEffect {
        case frame(BigDataFrame)
        /// A frame of the UART service: some firmware is said to send raw sensor values here.
        case uart(Frame)
        case fault(BigDataFault)

        /// `true` also for a count of dropped events: all events count towards the limit.
        var mayBeDropped: Bool { true }

        var droppedCount: Int? {
            guard case .fault(let fault) = self, fault.kind == .overflow else { return nil }
            return fault.droppedEvents
        }

        static func dropped(_ count: Int) -> BigDataReassembler.Event {
            .fault(BigDataFault(.overflow, droppedEvents: count))
        }
    }

    /// The longest payload of a frame, 0 to ``BigDataFrame/maximumPayloadLength``.
    package let maximumPayloadLength: Int

    private(set) var hypotheses = BigDataHypotheses()
    private var events: EffectQueue<Event>

    /// Creates a reassembler without bytes.
    ///
    /// Events are kept until they are fetched, at most `maximumEventCount` and at least two: the
    /// last of a full queue, which is one of them, counts those that were dropped.
    ///
    /// A length beyond the limits of a header is clamped.
    public init(
        maximumPayloadLength: Int = BigDataFrame.maximumPayloadLength, maximumEventCount: Int = 64
    ) {
        self.maximumPayloadLength = min(
            max(maximumPayloadLength, 0), BigDataFrame.maximumPayloadLength)
        events = EffectQueue(limit: max(maximumEventCount, 2) - 1)
    }

    /// The number of bytes that wait for the rest of their frame.
    public var pendingByteCount: Int { hypotheses.log.count }

    /// Removes and returns the next event; `nil` if there is none.
    public mutating func nextEvent() -> Event? { events.next() }

    /// Abandons the open frames; their bytes become a fault.
    public mutating func abandon() {
        guard !hypotheses.isEmpty else { return }
        let length = hypotheses.lengthIfRight(0)
        emit(hypotheses.removeAll(), right: length, rest: .abandoned)
    }

    /// Receives one notification.
    public mutating func receive(_ chunk: some Sequence<UInt8>) {
        chunk.withBytes { receive($0) }
    }

    /// Receives one notification.
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
            decide(chunk, &cursor)
        }
    }

    private struct Cursor {
        var position = 0
        /// `true` if a frame may begin here inside of an open one.
        var isBoundary = true
        /// `true` if a frame may begin at any marker.
        var isResynchronising = false
        private var nextMarker = 0

        init() {}

        /// Returns the position of the next marker, or the end; each byte is read once.
        mutating func marker(after position: Int, in chunk: Span<UInt8>) -> Int {
            nextMarker = max(nextMarker, position + 1)
            while nextMarker < chunk.count, chunk[nextMarker] != BigDataFrame.marker {
                nextMarker += 1
            }
            return min(nextMarker, chunk.count)
        }
    }

    /// Reports a fault; consecutive bytes of no frame are one.
    private mutating func report(_ kind: BigDataFault.Kind, _ bytes: [UInt8]) {
        let isJoined = events.replaceLast { last in
            guard kind == .unexpectedBytes, case .fault(let fault) = last, fault.kind == kind,
                fault.bytes.count + bytes.count <= BigDataFrame.maximumPayloadLength
            else { return nil }
            return .fault(BigDataFault(kind, bytes: fault.bytes + bytes))
        }
        if !isJoined { events.append(.fault(BigDataFault(kind, bytes: bytes))) }
    }

    /// Receives a frame of the UART service, alone or before other frames.
    ///
    /// Returns `false` if there is none.
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

    /// Reports the bytes before the next marker. Returns `false` if there are none.
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

    /// Opens a frame at a marker inside of the open frames, if one may begin there.
    private mutating func openInner(_ chunk: Span<UInt8>, _ cursor: Cursor) {
        guard cursor.isBoundary || cursor.isResynchronising else { return }
        if hypotheses.isFull {
            let longest = hypotheses.leastLikelyInner
            let length = frameLength(chunk, at: cursor.position)
            guard cursor.isBoundary, length ?? 0 < hypotheses.missingByteCount(longest) else {
                return
            }
            hypotheses.drop(longest)
            removeFailed()
        }
        hypotheses.open()
    }

    /// Returns the length of a frame at a position, if the notification contains its length field.
    private func frameLength(_ chunk: Span<UInt8>, at position: Int) -> Int? {
        guard position + 3 < chunk.count else { return nil }
        let payloadLength = Int(chunk[position + 2]) | Int(chunk[position + 3]) << 8
        return BigDataFrame.headerLength + payloadLength
    }

    private func startsFrame(_ chunk: Span<UInt8>, at position: Int) -> Bool {
        guard chunk[position] == BigDataFrame.marker else { return false }
        let length = frameLength(chunk, at: position) ?? 0
        return length <= BigDataFrame.headerLength + maximumPayloadLength
    }

    /// Completes or removes each frame that the received bytes decide.
    private mutating func decide(_ chunk: Span<UInt8>, _ cursor: inout Cursor) {
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
            let isCoincidence = (0..<level).contains(where: hypotheses.isIncomplete)
            if isExact || !isInterrupted && !isCoincidence {
                complete(level)
                cursor.isBoundary = true
                break
            }
            if isInterrupted { level += 1 } else { hypotheses.drop(level) }
        }
        if removeFailed() { cursor.isResynchronising = true }
    }

    private mutating func readHeaders(_ cursor: inout Cursor) {
        for level in hypotheses.stack.indices.reversed() {
            guard let header = hypotheses.readHeader(level),
                header.payloadLength > maximumPayloadLength
            else { continue }
            if level > 0 {
                hypotheses.drop(level)
                continue
            }
            let isOnlyOne = hypotheses.stack.count == 1
            report(.tooLong, isOnlyOne ? hypotheses.restart() : hypotheses.dropLowest())
            cursor.isResynchronising = true
        }
    }

    private mutating func complete(_ level: Int) {
        guard let frame = hypotheses.frame(level) else { return }
        hypotheses.cut(level)
        for outer in (0..<level).reversed() where hypotheses.id(outer) == frame.id {
            if outer > 0 {
                hypotheses.drop(outer)
            } else {
                report(.abandoned, hypotheses.dropLowest())
            }
        }
        events.append(.frame(frame))
    }

    /// Removes the frames that can no longer become right. Returns `true` for a fault.
    @discardableResult
    private mutating func removeFailed() -> Bool {
        var isFault = false
        while let level = hypotheses.stack.indices.last(where: hypotheses.hasFailed) {
            let isTop = level == hypotheses.stack.count - 1
            if level == 0 {
                let length = hypotheses.lengthIfRight(0)
                emit(hypotheses.dropLowest(), right: length, rest: .wrongChecksum)
                isFault = true
            } else if isTop, !hypotheses.isIncomplete(level - 1), hypotheses.lengthIfRight(0) == nil
            {
                let length = hypotheses.lengthIfRight(level)
                emit(hypotheses.bytes(from: level), right: length, rest: .wrongChecksum)
                hypotheses.cut(level)
                isFault = true
            } else {
                hypotheses.drop(level)
            }
        }
        return isFault
    }

    /// Reports the bytes of a removed frame: a right frame that waited, then bytes of no frame.
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
