import HaloProtocol

/// An attribution of a ring's values to the requests that they answer.
///
/// A frame answers the last request of its opcode, a record the last request of its command.
/// Records without a request of their own (naps, the pieces of a workout) answer the last request
/// for a record. Pieces of a record stay together; a request that is written in pieces is answered
/// after its last one. Other values answer no request.
struct AnswerAttribution: Sendable {
    private var frames: [UInt8: Int] = [:]
    private var records: [UInt8: Int] = [:]
    private var lastRecord: Int?
    /// The progress of the record that is written last, and its id.
    private var written = (pieces: BigDataFrame.Pieces(), id: 0 as UInt8)
    private var pieces = BigDataFrame.Pieces()
    /// The request that is answered by the record whose pieces are arriving; `nil` if there is
    /// none.
    private var pending: Int?

    mutating func note(_ request: Int, _ channel: CaptureChannel, _ bytes: [UInt8]) {
        switch channel {
        case .uart:
            if let opcode = bytes.first { frames[opcode] = request }
        case .bigData:
            if !written.pieces.receive(written: bytes) {
                guard bytes.first == BigDataFrame.marker, bytes.count > 1 else { return }
                written.id = bytes[1]
            }
            records[written.id] = request
            lastRecord = request
            pieces = BigDataFrame.Pieces()
        default: break
        }
    }

    mutating func request(for channel: CaptureChannel, _ bytes: [UInt8]) -> Int? {
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes) else { return nil }
            guard let refused = frame.refusedOpcode else { return frames[frame.opcode] }
            return [refused, frame.opcode].compactMap { frames[$0] }.max()
        case .bigData:
            if pieces.receive(bytes) { return pending }
            guard BigDataFrame.announcedLength(of: bytes) != nil else { return nil }
            pending = request(forRecord: bytes[1])
            return pending
        default: return nil
        }
    }

    private func request(forRecord id: UInt8) -> Int? {
        guard let entry = BigDataCatalog.entry(id: id, .fromDevice) else { return records[id] }
        guard let asked = entry.requestID else { return lastRecord }
        return records[asked]
    }
}
