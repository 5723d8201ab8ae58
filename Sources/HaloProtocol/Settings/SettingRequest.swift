/// Reads or writes the setting of a ``SettingCommand``.
public struct SettingRequest<Owner: SettingCommand>: RequestPacket {
    /// What is to be done with the setting.
    public enum Action: Hashable, Sendable {
        /// Asks for it.
        case read
        /// Replaces it.
        case write(Owner.Setting)
    }

    /// What is to be done with the setting.
    public let action: Action
    /// What follows; apps differ.
    public let unclaimed: InlineBytes

    /// A request without anything behind its fields.
    @inlinable @inline(__always)
    public init(_ action: Action) {
        self.action = action
        unclaimed = InlineBytes()
    }

    /// Asks for the setting.
    @inlinable public static var read: SettingRequest { SettingRequest(.read) }

    /// Replaces the setting.
    @inlinable
    public static func write(_ setting: Owner.Setting) -> SettingRequest {
        SettingRequest(.write(setting))
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        switch try reader.selector("action", SettingAction.self) {
        case .read: action = .read
        case .write: action = .write(try Owner.Setting(from: &reader))
        }
        unclaimed = try reader.unclaimed()
    }

    /// Whether it reads.
    @inlinable public var onlyReads: Bool { action == .read }

    /// A reading answers a read, an echo a write; an answer that nobody has described, either.
    public func isAnswered(by frame: Frame) -> Bool {
        switch try? SettingReply<Owner>(decoding: frame).content {
        case .reading: onlyReads
        case .written: !onlyReads
        case .undescribed, nil: true
        }
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        switch action {
        case .read:
            writer.selector("action", SettingAction.read)
        case .write(let setting):
            writer.selector("action", SettingAction.write)
            setting.encode(into: &writer)
        }
        writer.unclaimed(unclaimed)
    }
}
