extension RingSession {
    /// A frame or record from a ring that is no reply to an active request.
    public enum Event: Hashable, Sendable {
        /// A notification of command 73: new data, the battery, totals of today.
        case notification(RingNotification.Reply)
        /// An unsolicited packet of the catalogue, such as a gesture or a search for the phone.
        case unsolicited(Frame)
        case unsolicitedRecord(BigDataFrame)
        case late(Frame)
        case lateRecord(BigDataFrame)
        /// A frame of an opcode that is not in the catalogue.
        case unknown(Frame)
        /// Bytes on the UART channel that are no frame, with the reason.
        case brokenFrame([UInt8], FrameError)
        /// A frame of a reply that cannot be decoded.
        case brokenPacket(Frame, PacketError)
        /// Bytes on the big-data channel that are no record.
        case brokenRecord(BigDataFault)
        /// The number of events that were dropped because too many were waiting.
        case dropped(Int)
        /// A fault of this package, in words: please report it. The session has gone on.
        case fault(String)
    }
}
