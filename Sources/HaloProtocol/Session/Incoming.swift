/// A whole frame that came from a ring, of either service.
enum Incoming: Hashable, Sendable {
    case frame(Frame)
    case record(BigDataFrame)

    /// How many bytes it has.
    var length: Int {
        switch self {
        case .frame: Frame.length
        case .record(let record): BigDataFrame.headerLength + record.payload.count
        }
    }

    /// The event that it is when it answers a request that was given up.
    var asLate: RingEvent {
        switch self {
        case .frame(let frame): .late(frame)
        case .record(let record): .lateRecord(record)
        }
    }
}

extension Frame {
    /// Whether it is the ring's "no" to a command.
    ///
    /// The opcodes with bit 7 set are refused as if they had it not: the bit is there already.
    func refuses(_ opcode: UInt8) -> Bool {
        guard let refusedOpcode else { return false }
        return Refusal(of: opcode).opcode == refusedOpcode
    }
}
