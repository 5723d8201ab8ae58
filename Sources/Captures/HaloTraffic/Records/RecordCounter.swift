/// Counts the records of a file, and detects times that run backwards.
struct RecordCounter: Sendable {
    /// The maximum length of a packet in bytes: twice the maximum of Bluetooth.
    static let longestPacket = 1 << 17

    private(set) var count = 0
    private(set) var time: Int64?

    mutating func next(
        at offset: Int, _ microseconds: Int64, into sink: inout some RecordSink
    ) -> FilePosition {
        count += 1
        let position = FilePosition(number: count, offset: offset, microseconds: microseconds)
        if let time, microseconds < time { sink.note(.timeBackwards, at: position) }
        time = microseconds
        return position
    }

    /// Checks the length of a packet. Throws if no packet can be that long.
    static func packetLength(_ length: Int, at offset: Int) throws(TrafficError) -> Int {
        guard length <= longestPacket else {
            throw TrafficError(.recordTooLong, at: offset, found: length)
        }
        return length
    }
}
