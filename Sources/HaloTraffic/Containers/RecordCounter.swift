/// Counts the records of a file, and notices when their time runs backwards.
struct RecordCounter: Sendable {
    /// How many bytes of a packet a record may have: twice what Bluetooth can send.
    static let longestPacket = 1 << 17

    /// How many records there were.
    private(set) var count = 0
    /// When the last one was heard.
    private(set) var time: Int64?

    /// The place of the next record.
    mutating func next(
        at offset: Int, _ microseconds: Int64, into sink: inout some RecordSink
    ) -> RecordPlace {
        count += 1
        let place = RecordPlace(number: count, offset: offset, microseconds: microseconds)
        if let time, microseconds < time { sink.note(.timeBackwards, at: place) }
        time = microseconds
        return place
    }

    /// The length of a packet, if it can be one.
    static func packetLength(_ length: Int, at offset: Int) throws(TrafficError) -> Int {
        guard length <= longestPacket else {
            throw TrafficError(.recordTooLong, at: offset, found: length)
        }
        return length
    }
}
