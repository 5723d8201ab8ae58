/// A command that reads or writes a setting of the ring.
///
///     → op 01                          reads
///     → op 02 setting…                 writes
///     ← op 01 reading…                 the setting as it is: often the fields of the write
///     ← op 02 echo…                    the reply to a write: the same fields, some, or none
public protocol SettingCommand: RequestCommand, SingleReplyCommand
where Request == SettingRequest<Self>, Reply == SettingReply<Self> {
    /// The fields of a write.
    associatedtype Setting: FrameFields
    /// The fields of the reply to a read.
    associatedtype Reading: FrameFields = Setting
    /// The fields of the reply to a write.
    associatedtype Echo: FrameFields = Setting
}

/// The reply to a read or a write of a ``SettingCommand``.
@frozen
public struct SettingReply<Owner: SettingCommand>: ReplyPacket {
    /// The kind of reply, with its fields.
    public typealias Content = SettingContent<Owner.Reading, Owner.Echo>

    public let content: Content
    /// The bytes after the fields; firmware differs.
    @usableFromInline package var unclaimed = InlineBytes()

    package init(_ content: Content) {
        self.content = content
    }

    /// Creates a reply with undescribed bytes after its fields; bytes beyond the frame are left
    /// out.
    package init(_ content: Content, followedBy unclaimed: InlineBytes) {
        self.content = content
        self.unclaimed = unclaimed.trimmingZeros
    }

    /// The setting in the reply to a read, else `nil`.
    @inlinable
    public var reading: Owner.Reading? { content.reading }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        content = try Content(&io, packet?.content)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
