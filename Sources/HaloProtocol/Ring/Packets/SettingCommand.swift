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

/// A group of fields that several frames share: a setting, a period of the day.
public protocol FrameFields: Hashable, Sendable {
    /// The layout of the group. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}

/// An empty group of fields: a reply to a write that is empty in captures, or is not known.
@frozen
public struct NoFields: FrameFields {
    /// Creates an empty group.
    @inlinable @inline(__always)
    public init() {}

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {}
}

/// The byte after the opcode of most setting commands: read or write.
@usableFromInline
enum SettingAction: UInt8, FieldCode {
    /// Requests the ring's setting.
    case read = 1
    /// Replaces the ring's setting.
    case write = 2

    @inlinable @inline(__always)
    init(reads: Bool) {
        self = reads ? .read : .write
    }

    @usableFromInline static let labels = FieldLabels<SettingAction>()
}

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

    /// A read, or a write with the new setting.
    public let action: Action
    /// The bytes after the fields; apps differ.
    public let unclaimed: InlineBytes

    /// Creates a request without bytes after its fields.
    @inlinable @inline(__always)
    public init(_ action: Action) {
        self.action = action
        unclaimed = InlineBytes()
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

/// The reply to a read or a write of a ``SettingCommand``.
public struct SettingReply<Owner: SettingCommand>: ReplyPacket {
    /// The kind of reply, with its fields.
    public enum Content: Hashable, Sendable {
        /// The reply to a read: the setting as it is.
        case reading(Owner.Reading)
        /// The reply to a write: the fields that the ring repeats.
        case written(Owner.Echo)
        /// A reply to neither a read nor a write, as far as is known; its bytes are kept.
        case undescribed(UndescribedAction)

        @usableFromInline var action: Reported<SettingAction> {
            switch self {
            case .reading: Reported(.read)
            case .written: Reported(.write)
            case .undescribed(let action): Reported(rawValue: action.rawValue)
            }
        }

        @usableFromInline var echo: Owner.Echo? {
            if case .written(let echo) = self { echo } else { nil }
        }
    }

    /// The kind of reply, with its fields.
    public let content: Content
    /// The bytes after the fields; firmware differs.
    public let unclaimed: InlineBytes

    /// Creates a reply without bytes after its fields.
    @inlinable @inline(__always)
    public init(_ content: Content) {
        self.content = content
        unclaimed = InlineBytes()
    }

    /// Creates a reply with undescribed bytes after its fields; bytes beyond the frame are left
    /// out.
    public init(_ content: Content, followedBy unclaimed: InlineBytes) {
        self.content = content
        self.unclaimed = unclaimed.trimmingZeros
    }

    /// The setting in the reply to a read, else `nil`.
    @inlinable
    public var reading: Owner.Reading? {
        if case .reading(let reading) = content { reading } else { nil }
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let action = try io.reportedSelector("action", packet?.content.action)
        switch action.known {
        case .read: content = .reading(try Owner.Reading(&io, packet?.reading))
        case .write: content = .written(try Owner.Echo(&io, packet?.content.echo))
        case nil: content = .undescribed(UndescribedAction(action.rawValue))
        }
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

/// The first byte of a setting's reply to neither a read nor a write.
///
/// The meaning of such a reply is not described; the other bytes are kept, too.
@frozen
public struct UndescribedAction: Hashable, Sendable {
    /// The byte as it was sent.
    public let rawValue: UInt8

    @inlinable @inline(__always)
    init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
