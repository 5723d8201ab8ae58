/// A command that reads or writes a setting of the ring.
///
///     → op 01                          reads
///     → op 02 setting…                 writes
///     ← op 01 reading…                 the setting as it is: often the fields of the write
///     ← op 02 echo…                    the reply to a write: the same fields, some, or none
public protocol SettingCommand: RequestCommand, SingleReplyCommand
where Request == SettingRequest<Self>, Reply == SettingReply<Self> {
    /// The byte that says which of the packets it is.
    associatedtype Action: SettingCode = SettingAction
    /// The fields of a write.
    associatedtype Setting: FrameFields
    /// The fields of the reply to a read.
    associatedtype Reading: FrameFields = Setting
    /// The fields of the reply to a write; none if it is not known, or its bytes are not described.
    associatedtype Echo: FrameFields = NoFields
}

/// The reply to a read or a write of a ``SettingCommand``.
@frozen
public struct SettingReply<Owner: SettingCommand>: ReplyPacket {
    /// The action of the request, as the ring repeats it; the bytes after an unknown one are kept.
    public let action: Reported<Owner.Action>
    /// The setting in the reply to a read, else `nil`.
    public let reading: Owner.Reading?
    /// The fields that the ring repeats in the reply to a write, else `nil`.
    public let echo: Owner.Echo?
    /// The bytes after the fields; firmware differs.
    @usableFromInline package var unclaimed = InlineBytes()

    /// Creates a reply, perhaps with undescribed bytes after its fields; bytes beyond the frame are
    /// left out.
    package init(
        _ action: Owner.Action, reading: Owner.Reading? = nil, echo: Owner.Echo? = nil,
        followedBy unclaimed: InlineBytes = InlineBytes()
    ) {
        self.action = Reported(action)
        self.reading = reading
        self.echo = echo
        self.unclaimed = unclaimed.trimmingZeros
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        action = try io.reportedSelector("action", packet?.action)
        reading = action == .read ? try Owner.Reading(&io, packet?.reading) : nil
        echo = action == .write ? try Owner.Echo(&io, packet?.echo) : nil
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
