import HaloProtocol

/// Checks what joins notifications to big-data frames.
///
/// What must hold:
/// - Whatever comes: every byte ends in one event, no byte in two; what is called a frame has a
///   right checksum; what waits, and what is queued, stays within its limits.
/// - Frames that are cut anywhere, also while others are sent in between, all arrive, each when
///   its last byte does, without a fault.
/// - A notification that is lost or damaged costs the frame that it belongs to, and no other.
public enum ReassemblerVerifier {
    typealias Event = BigDataReassembler.Event

    /// Checks with notifications of any content, and with limits on length and queue.
    public static func verify(
        _ chunks: [[UInt8]], maximumPayloadLength: Int, maximumEventCount: Int
    ) throws(ContractViolation) {
        let maximumPayloadLength = min(
            max(maximumPayloadLength, 0), BigDataFrame.maximumPayloadLength)
        try conserves(chunks, maximumPayloadLength)
        var reassembler = BigDataReassembler(
            maximumPayloadLength: maximumPayloadLength, maximumEventCount: maximumEventCount)
        for chunk in chunks { reassembler.receive(chunk) }
        var count = 0
        while let event = reassembler.nextEvent() {
            count += 1
            if case .fault(let fault) = event, fault.description == "" {
                throw violation("a fault says nothing", chunks)
            }
        }
        guard count <= max(maximumEventCount, 2) else {
            throw violation("\(count) events were kept, of \(maximumEventCount)", chunks)
        }
    }

    /// Every byte is in one event, or waits; nothing waits after giving up.
    private static func conserves(
        _ chunks: [[UInt8]], _ maximumPayloadLength: Int
    ) throws(ContractViolation) {
        var reassembler = BigDataReassembler(
            maximumPayloadLength: maximumPayloadLength, maximumEventCount: 1 << 16)
        var balance = [Int](repeating: 0, count: 256)
        let most = 4 * (maximumPayloadLength + BigDataFrame.headerLength)
        for chunk in chunks {
            for byte in chunk { balance[Int(byte)] += 1 }
            reassembler.receive(chunk)
            guard reassembler.pendingByteCount <= most else {
                throw violation("\(reassembler.pendingByteCount) bytes wait", chunks)
            }
            while let event = reassembler.nextEvent() {
                for byte in try bytes(event, maximumPayloadLength, chunks) {
                    balance[Int(byte)] -= 1
                }
            }
        }
        reassembler.abandon()
        guard reassembler.pendingByteCount == 0 else {
            throw violation("bytes wait after giving up", chunks)
        }
        while let event = reassembler.nextEvent() {
            for byte in try bytes(event, maximumPayloadLength, chunks) { balance[Int(byte)] -= 1 }
        }
        for byte in balance.indices where balance[byte] != 0 {
            let what = balance[byte] > 0 ? "\(balance[byte]) times lost" : "invented"
            throw violation("byte \(HexText.byte(UInt8(byte))) was \(what)", chunks)
        }
    }

    private static func bytes(
        _ event: Event, _ maximumPayloadLength: Int, _ chunks: [[UInt8]]
    ) throws(ContractViolation) -> [UInt8] {
        switch event {
        case .uart(let frame):
            return Array(frame.bytes)
        case .fault(let fault):
            guard fault.kind != .overflow else {
                throw violation("events were dropped although there was room", chunks)
            }
            return fault.bytes
        case .frame(let frame):
            guard frame.payload.count <= maximumPayloadLength else {
                throw violation("a frame is longer than the limit", chunks)
            }
            try BigDataVerifier.verify(frame)
            return frame.bytes
        }
    }

    /// Checks with a stream whose meaning is known; the bytes decide frames, cuts and accidents.
    public static func verifyStream(chance: inout FuzzBytes) throws(ContractViolation) {
        let accident = chance.integer(in: 0...3 as ClosedRange<UInt8>)
        var stream = BigDataStream(isNested: accident < 2, chance: &chance)
        if accident == 2 { stream.lose(chance: &chance) }
        if accident == 3 { stream.damage(chance: &chance) }
        var reassembler = BigDataReassembler()
        var arrived: [BigDataFrame] = []
        var hasFault = false
        for chunk in stream.chunks {
            reassembler.receive(chunk.bytes)
            while let event = reassembler.nextEvent() {
                if case .frame(let frame) = event { arrived.append(frame) } else { hasFault = true }
            }
        }
        // Another frame with a right checksum is a coincidence, which only the fuzzer can make.
        guard arrived.allSatisfy(stream.sent.contains) else { return }
        let chunks = stream.chunks.map(\.bytes)
        let due = stream.due
        let isRight = accident < 2 ? arrived == due : arrived.contains(inOrder: due)
        guard isRight else {
            let ids = arrived.map { HexText.byte($0.id) }.joined(separator: " ")
            let dueIDs = due.map { HexText.byte($0.id) }.joined(separator: " ")
            throw violation("frames [\(dueIDs)] were due, [\(ids)] arrived", chunks)
        }
        guard accident >= 2 || !hasFault && reassembler.pendingByteCount == 0 else {
            throw violation("there is a fault although nothing went wrong", chunks)
        }
    }

    private static func violation(_ what: String, _ chunks: [[UInt8]]) -> ContractViolation {
        let cuts = chunks.map { "\($0.count)" }.joined(separator: " ")
        return ContractViolation(
            "\(what) (notifications of \(cuts) bytes)", packet: "BigDataReassembler",
            bytes: chunks.joined())
    }
}

extension Array where Element: Equatable {
    /// Whether all of the given elements are there in their order, perhaps with others between.
    fileprivate func contains(inOrder elements: [Element]) -> Bool {
        var rest = elements[...]
        for element in self where element == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}
