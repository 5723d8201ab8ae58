/// A read or a write of the setting of a ``SettingCommand``.
public struct SettingRequest<Owner: SettingCommand>: RequestPacket {
    /// A read, or a write with the new setting.
    public enum Action: Hashable, Sendable {
        case read
        case write(Owner.Setting)

        @inlinable @inline(__always)
        var setting: Owner.Setting? {
            if case .write(let setting) = self { setting } else { nil }
        }
    }

    public let action: Action
    /// The bytes after the fields; apps differ.
    @usableFromInline package var unclaimed = InlineBytes()

    @inlinable @inline(__always)
    public init(_ action: Action) {
        self.action = action
    }

    /// The request for the setting.
    @inlinable public static var read: SettingRequest { SettingRequest(.read) }

    /// Returns a request that replaces the setting.
    @inlinable
    public static func write(_ setting: Owner.Setting) -> SettingRequest {
        SettingRequest(.write(setting))
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        switch try io.selector("action", packet.map { SettingAction(reads: $0.onlyReads) }) {
        case .read: action = .read
        case .write: action = .write(try Owner.Setting(&io, packet?.action.setting))
        }
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }

    @inlinable public var onlyReads: Bool { action.setting == nil }

    /// Accepts a reading for a read, an echo for a write, and an undescribed reply for both.
    public func isAnswered(by frame: Frame) -> Bool {
        switch try? SettingReply<Owner>(decoding: frame).content {
        case .reading: onlyReads
        case .written: !onlyReads
        case .undescribed, nil: true
        }
    }
}
