/// The kind of a reply to a read or a write of a setting, with its fields.
public enum SettingContent<Reading: FrameFields, Echo: FrameFields>: Hashable, Sendable {
    /// The reply to a read: the setting as it is.
    case reading(Reading)
    /// The reply to a write: the fields that the ring repeats.
    case written(Echo)
    /// A reply to neither a read nor a write, as far as is known; its bytes are kept.
    case undescribed(UndescribedCode)

    @inlinable @inline(__always)
    init<IO: FrameIO>(_ io: inout IO, _ content: Self?) throws(PacketError) {
        let action = try io.reportedSelector("action", content?.action)
        switch action.known {
        case .read: self = .reading(try Reading(&io, content?.reading))
        case .write: self = .written(try Echo(&io, content?.echo))
        case nil: self = .undescribed(UndescribedCode(action.rawValue))
        }
    }

    @usableFromInline var action: Reported<SettingAction> {
        switch self {
        case .reading: Reported(.read)
        case .written: Reported(.write)
        case .undescribed(let action): Reported(rawValue: action.rawValue)
        }
    }

    /// The setting in the reply to a read, else `nil`.
    @inlinable
    public var reading: Reading? {
        if case .reading(let reading) = self { reading } else { nil }
    }

    @usableFromInline package var echo: Echo? {
        if case .written(let echo) = self { echo } else { nil }
    }

    /// Returns `true` for a reading of a read, an echo of a write, and for an undescribed reply.
    func answers(_ access: SettingAccess<some FrameFields>) -> Bool {
        switch self {
        case .reading: access.onlyReads
        case .written: !access.onlyReads
        case .undescribed: true
        }
    }
}
