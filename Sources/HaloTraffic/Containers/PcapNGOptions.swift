/// Goes through the options of a pcapng block: code and length of 16 bits each, then the value,
/// filled up to four bytes; code 0 ends them, and so does the block.
struct PcapNGOptions {
    private let order: ByteOrder
    private var position: Int

    /// An option: what it is, and where in the block's body its value stands.
    struct Option {
        let code: UInt16
        let range: Range<Int>
    }

    /// The options that begin at `start` of a block's body.
    init(_ body: Span<UInt8>, _ order: ByteOrder, from start: Int) {
        self.order = order
        position = start
    }

    /// The next option of the same body, which begins at `offset` of the file.
    mutating func next(
        _ body: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> Option? {
        guard position <= body.count - 4 else { return nil }
        let code = body.uint16(at: position, order)
        let length = Int(body.uint16(at: position + 2, order))
        if code == 0 { return nil }
        let start = position + 4
        guard length <= body.count - start else {
            throw TrafficError(.wrongLength, at: offset + position + 2, found: length)
        }
        position = start + (length + 3) & ~3
        return Option(code: code, range: start..<start + length)
    }
}
