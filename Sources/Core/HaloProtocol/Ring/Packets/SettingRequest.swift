/// A read or a write of the setting of a ``SettingCommand``.
@frozen
public struct SettingRequest<Owner: SettingCommand>: RequestPacket {
    public let action: Owner.Action
    /// The new setting of a write, else `nil`.
    public let setting: Owner.Setting?
    /// The bytes after the fields; apps differ.
    @usableFromInline package var unclaimed = InlineBytes()

    @inlinable @inline(__always)
    init(_ action: Owner.Action, _ setting: Owner.Setting? = nil) {
        self.action = action
        self.setting = setting
    }

    /// The request for the setting.
    @inlinable public static var read: SettingRequest { SettingRequest(.read) }

    /// Returns a request that replaces the setting.
    @inlinable
    public static func write(_ setting: Owner.Setting) -> SettingRequest {
        SettingRequest(.write, setting)
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        action = try io.selector("action", packet?.action)
        setting = action == .write ? try Owner.Setting(&io, packet?.setting) : nil
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }

    @inlinable public var onlyReads: Bool { action.onlyReads }

    /// Accepts a reading for a read, an echo for a write, and an undescribed reply for both.
    public func isAnswered(by frame: Frame) -> Bool {
        (try? SettingReply<Owner>(decoding: frame))?.action.known ?? action == action
    }
}
