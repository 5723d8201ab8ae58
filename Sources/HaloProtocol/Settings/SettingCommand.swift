/// A command that reads a setting of the ring, or writes it.
///
///     → op 01                          reads
///     → op 02 setting…                 writes
///     ← op 01 reading…                 the setting as it is: often the fields of the write
///     ← op 02 echo…                    what answers a write: the same fields, some, or none
public protocol SettingCommand: RequestCommand, SingleReplyCommand
where Request == SettingRequest<Self>, Reply == SettingReply<Self> {
    /// What an app writes.
    associatedtype Setting: FrameFields
    /// What a ring answers to a read.
    associatedtype Reading: FrameFields = Setting
    /// What a ring answers to a write.
    associatedtype Echo: FrameFields = Setting
}
