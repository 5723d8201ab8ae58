/// A record that a ring sends.
public protocol BigDataReply: BigDataRecord {
    /// Returns `true` if a frame of this id means "no data".
    static func isNoData(_ frame: BigDataFrame) -> Bool
}

extension BigDataReply {
    /// The name of the packet: `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }
    /// The id of the command's replies.
    @inlinable public static var id: UInt8 { Owner.replyID }

    /// Returns `true` for a single zero byte; types in which that is a status differ.
    public static func isNoData(_ frame: BigDataFrame) -> Bool { frame.isSingleZero }

    /// Decodes a frame as the reply to this command: a value, or "no data".
    ///
    /// A ring sends a payload of one zero byte if it has stored no data, and also if it does not
    /// know the record id. The two differ only where replies have another id than requests. This
    /// function returns ``Answer/noData`` for both.
    public static func answer(_ frame: BigDataFrame) throws(PacketError) -> Answer<Self> {
        if frame.id == id && isNoData(frame) || frame.isUnknown(Owner.self) { return .noData }
        return .value(try Self(decoding: frame))
    }
}
