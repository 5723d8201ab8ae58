@testable import HaloProtocol
@testable import HaloTesting

/// Checks the frame of the big-data channel against a checksum of the verifier's own.
enum BigDataVerifier {
    /// Checks that bytes are a frame exactly if marker, length and checksum are right, and that a
    /// frame encodes to the same bytes.
    static func verify(_ bytes: [UInt8]) throws(ContractViolation) {
        let isFrame = isFrame(bytes)
        switch result(bytes) {
        case .success(let frame):
            guard isFrame else { throw violation("wrong bytes are accepted", bytes) }
            guard frame.bytes == bytes else { throw violation("encodes otherwise", bytes) }
        case .failure(let error):
            guard !isFrame, 0...bytes.count ~= error.offset, error.description != "" else {
                throw violation("right bytes are refused, or the error is wrong: \(error)", bytes)
            }
        }
    }

    /// Checks that a frame encodes to bytes that decode as a frame with the same id and payload.
    static func verify(_ frame: BigDataFrame) throws(ContractViolation) {
        let bytes = frame.bytes
        guard isFrame(bytes), bytes[1] == frame.id,
            bytes.dropFirst(BigDataFrame.headerLength).elementsEqual(frame.payload)
        else { throw violation("encodes to bytes that are no frame", bytes) }
        guard let again = try? BigDataFrame(decoding: bytes), again == frame else {
            throw violation("does not read what it wrote", bytes)
        }
    }

    private static func isFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= BigDataFrame.headerLength, bytes[0] == BigDataFrame.marker else {
            return false
        }
        let payload = bytes.dropFirst(BigDataFrame.headerLength)
        let checksum = checksum(payload)
        return payload.count == Int(bytes[2]) | Int(bytes[3]) << 8
            && bytes[4] == UInt8(truncatingIfNeeded: checksum)
            && bytes[5] == UInt8(truncatingIfNeeded: checksum >> 8)
    }

    /// Computes CRC-16/MODBUS, bit by bit.
    static func checksum(_ payload: some Sequence<UInt8>) -> UInt16 {
        var remainder: UInt16 = 0xFFFF
        for byte in payload {
            remainder ^= UInt16(byte)
            for _ in 0..<8 {
                let isOdd = remainder & 1 != 0
                remainder >>= 1
                if isOdd { remainder ^= 0xA001 }
            }
        }
        return remainder
    }

    private static func result(_ bytes: [UInt8]) -> Result<BigDataFrame, FrameError> {
        do throws(FrameError) { return .success(try BigDataFrame(decoding: bytes)) } catch {
            return .failure(error)
        }
    }

    private static func violation(_ what: String, _ bytes: [UInt8]) -> ContractViolation {
        ContractViolation(what, packet: "BigDataFrame", bytes: bytes)
    }
}

/// Checks the reassembler, which joins notifications to big-data frames.
///
/// These must hold:
/// - For any input: every byte is in exactly one event; an event with a frame has a right checksum;
///   the buffered bytes and the queued events stay within their limits.
/// - Frames that are cut anywhere, even with others sent in between, all arrive, each with its last
///   byte, and without a fault.
/// - A lost or damaged notification costs its own frame, and no other.
enum ReassemblerVerifier {
    typealias Event = BigDataReassembler.Event

    /// Checks with notifications of any content, and with limits of length and queue.
    static func verify(
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

    /// Checks that every byte is in one event or buffered, and that no byte stays buffered after
    /// giving up.
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

    /// Checks with a stream of known frames. The bytes decide the frames, the cuts and the
    /// accidents.
    static func verifyStream(chance: inout FuzzBytes) throws(ContractViolation) {
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
        // Another frame with a right checksum is a coincidence, which only a fuzzer can produce.
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
    /// Returns `true` if the array has all elements in order, perhaps with others between.
    fileprivate func contains(inOrder elements: [Element]) -> Bool {
        var rest = elements[...]
        for element in self where element == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}

/// Big-data frames cut into notifications, with the known ids of their bytes.
///
/// No notification that continues a frame begins with the marker: that would be ambiguous, and the
/// result is not specified.
struct BigDataStream {
    /// A notification with the id of its first frame.
    struct Chunk {
        var bytes: [UInt8]
        let id: UInt8
    }

    private(set) var chunks: [Chunk] = []
    /// The frames in the order of their last bytes.
    private(set) var sent: [BigDataFrame] = []
    /// The id of the lost or damaged frame; `nil` without an accident.
    private(set) var harmed: UInt8?

    private let firstID: UInt8
    private var count: UInt8 = 0

    private static let mostFrames: UInt8 = 8
    private static let deepest = 3

    /// Creates a stream. If nested, frames are sent before others are finished, or notifications
    /// end one frame and begin the next.
    init(isNested: Bool, chance: inout FuzzBytes) {
        firstID = chance.byte()
        let isJoined = isNested && chance.flag()
        let frames = chance.integer(in: 1...4 as ClosedRange<UInt8>)
        for _ in 0..<frames {
            let depth = isNested && !isJoined ? 0 : Self.deepest
            send(depth: depth, chance: &chance)
            if isJoined { join(chance: &chance) }
        }
    }

    /// The frames that must arrive.
    var due: [BigDataFrame] { sent.filter { $0.id != harmed } }

    /// Removes a notification.
    mutating func lose(chance: inout FuzzBytes) {
        let place = chance.integer(in: 0...(chunks.count - 1))
        harmed = chunks.remove(at: place).id
    }

    /// Changes a byte of a notification.
    mutating func damage(chance: inout FuzzBytes) {
        let place = chance.integer(in: 0...(chunks.count - 1))
        let offset = chance.integer(in: 0...(chunks[place].bytes.count - 1))
        chunks[place].bytes[offset] ^= chance.integer(in: 1...255)
        harmed = chunks[place].id
    }

    private mutating func send(depth: Int, chance: inout FuzzBytes) {
        let id = firstID &+ count
        count += 1
        let length = chance.integer(in: 0...40 as ClosedRange<Int>) * (chance.flag() ? 1 : 9)
        guard let frame = try? BigDataFrame(id: id, payload: chance.bytes(length)) else { return }
        for bytes in cut(frame.bytes, chance: &chance) {
            let isFirst = bytes.startIndex == 0
            if !isFirst, depth < Self.deepest, count < Self.mostFrames, chance.flag() {
                send(depth: depth + 1, chance: &chance)
            }
            chunks.append(Chunk(bytes: Array(bytes), id: id))
        }
        sent.append(frame)
    }

    private func cut(_ bytes: [UInt8], chance: inout FuzzBytes) -> [ArraySlice<UInt8>] {
        let limit = chance.choice(of: [20, 244, 3]) ?? 20
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            var end = min(start + chance.integer(in: 1...limit), bytes.count)
            while end < bytes.count, bytes[end] == BigDataFrame.marker { end += 1 }
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    /// Joins the last two notifications, or leaves them.
    private mutating func join(chance: inout FuzzBytes) {
        guard chunks.count > 1, chance.flag() else { return }
        let last = chunks.removeLast()
        let before = chunks.removeLast()
        chunks.append(Chunk(bytes: before.bytes + last.bytes, id: before.id))
    }
}
