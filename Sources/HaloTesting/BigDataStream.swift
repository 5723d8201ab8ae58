import HaloProtocol

/// Big-data frames cut into notifications, with the knowledge of what they are.
///
/// No notification that continues a frame begins with the marker: that would be ambiguous, and
/// what comes of it is not promised.
struct BigDataStream {
    /// A notification, and whose bytes it has.
    struct Chunk {
        var bytes: [UInt8]
        let ids: [UInt8]
    }

    private(set) var chunks: [Chunk] = []
    /// The frames in the order of their last bytes.
    private(set) var sent: [BigDataFrame] = []
    /// The frame that an accident happened to.
    private(set) var harmed: UInt8?

    private let firstID: UInt8
    private var count: UInt8 = 0

    private static let mostFrames: UInt8 = 8
    private static let deepest = 3

    /// A stream; nested, with frames sent while others are not finished, or notifications that end
    /// one frame and begin the next.
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

    /// A notification does not arrive.
    mutating func lose(chance: inout FuzzBytes) {
        let place = chance.integer(in: 0...(chunks.count - 1))
        harmed = chunks.remove(at: place).ids.first
    }

    /// A byte of a notification arrives changed.
    mutating func damage(chance: inout FuzzBytes) {
        let place = chance.integer(in: 0...(chunks.count - 1))
        let offset = chance.integer(in: 0...(chunks[place].bytes.count - 1))
        chunks[place].bytes[offset] ^= chance.integer(in: 1...255)
        harmed = chunks[place].ids.first
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
            chunks.append(Chunk(bytes: Array(bytes), ids: [id]))
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

    /// Makes one notification of the last two, or leaves them.
    private mutating func join(chance: inout FuzzBytes) {
        guard chunks.count > 1, chance.flag() else { return }
        let last = chunks.removeLast()
        let before = chunks.removeLast()
        chunks.append(Chunk(bytes: before.bytes + last.bytes, ids: before.ids + last.ids))
    }
}
