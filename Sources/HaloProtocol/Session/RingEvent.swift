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

#if !hasFeature(Embedded)
extension RingEvent: CustomStringConvertible {
    /// What came, read as captures read it, on one line.
    public var description: String {
        switch self {
        case .notification(let reply): Self.reading(reply.frame)
        case .unsolicited(let frame): Self.reading(frame)
        case .unsolicitedRecord(let frame): Explanation(of: frame).reading
        case .late(let frame): "late: \(Self.reading(frame))"
        case .lateRecord(let frame): "late: \(Explanation(of: frame).reading)"
        case .unknown(let frame): "unknown frame: \(frame)"
        case .brokenFrame(let bytes, let error):
            "no frame: \(HexText.bytes(bytes, separator: " ")): \(error)"
        case .brokenPacket(let frame, let error): "broken packet: \(frame): \(error)"
        case .brokenRecord(let fault): "broken record: \(fault)"
        case .dropped(let count): "\(count) events were dropped"
        }
    }

    private static func reading(_ frame: Frame) -> String {
        Explanation(of: frame, direction: .fromDevice).reading
    }
}
#endif
