/// A read of a setting, or a write with the new one.
public enum SettingAccess<Setting: FrameFields>: Hashable, Sendable {
    case read
    case write(Setting)

    @inlinable @inline(__always)
    init<IO: FrameIO>(_ io: inout IO, _ access: Self?) throws(PacketError) {
        switch try io.selector("action", access.map { SettingAction(reads: $0.onlyReads) }) {
        case .read: self = .read
        case .write: self = .write(try Setting(&io, access?.setting))
        }
    }

    @inlinable @inline(__always)
    var setting: Setting? {
        if case .write(let setting) = self { setting } else { nil }
    }

    @inlinable @inline(__always)
    var onlyReads: Bool { setting == nil }
}
