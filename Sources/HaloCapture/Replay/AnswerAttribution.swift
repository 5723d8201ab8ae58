import HaloProtocol

/// Finds out which request a value of a ring answers.
///
/// Frames answer the last request of their opcode, records the last request of their command;
/// records that no command asks for (naps, the pieces of a workout) come with the record that was
/// asked for last. What was cut into pieces stays together. All else answers nothing.
struct AnswerAttribution: Sendable {
    private var frames: [UInt8: Int] = [:]
    private var records: [UInt8: Int] = [:]
    private var lastRecord: Int?
    private var pieces = BigDataFrame.Pieces()
    /// What the record answers whose pieces come.
    private var pending: Int?

    /// A request was written.
    mutating func note(_ request: Int, _ packet: CapturePacket) {
        switch packet.channel {
        case .uart:
            if let opcode = packet.bytes.first { frames[opcode] = request }
        case .bigData:
            guard packet.bytes.first == BigDataFrame.marker, packet.bytes.count > 1 else { return }
            records[packet.bytes[1]] = request
            lastRecord = request
            pieces = BigDataFrame.Pieces()
        default: break
        }
    }

    /// The request that a value answers.
    mutating func request(for packet: CapturePacket) -> Int? {
        switch packet.channel {
        case .uart:
            guard let frame = try? Frame(decoding: packet.bytes) else { return nil }
            guard let refused = frame.refusedOpcode else { return frames[frame.opcode] }
            return [refused, frame.opcode].compactMap { frames[$0] }.max()
        case .bigData: return record(packet.bytes)
        default: return nil
        }
    }

    private mutating func record(_ bytes: [UInt8]) -> Int? {
        if pieces.goesOn(bytes) { return pending }
        guard BigDataFrame.announcedLength(of: bytes) != nil else { return nil }
        pending = request(forRecord: bytes[1])
        return pending
    }

    private func request(forRecord id: UInt8) -> Int? {
        guard let entry = BigDataCatalog.entry(id: id, .fromDevice) else { return records[id] }
        guard let asked = entry.requestID else { return lastRecord }
        return records[asked]
    }
}
