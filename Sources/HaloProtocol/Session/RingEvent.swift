/// What a ring sent that answers no request.
public enum RingEvent: Hashable, Sendable {
    /// Something was stored, the battery has changed, the wearer walks.
    case notification(RingNotification.Reply)
    /// A packet of the catalogue that nobody had asked for: a gesture, a search for the phone.
    case unsolicited(Frame)
    /// A record that nobody had asked for.
    case unsolicitedRecord(BigDataFrame)
    /// An answer to a request that had been given up.
    case late(Frame)
    /// A record that answers a request that had been given up.
    case lateRecord(BigDataFrame)
    /// A frame that nobody has described.
    case unknown(Frame)
    /// Bytes of the UART service that are no frame, and why not.
    case brokenFrame([UInt8], FrameError)
    /// A frame that belongs to what was asked, and says something that cannot be.
    case brokenPacket(Frame, PacketError)
    /// Bytes of the second service that are no frame.
    case brokenRecord(BigDataFault)
    /// So many events were dropped, because nobody fetched them.
    case dropped(Int)
}
