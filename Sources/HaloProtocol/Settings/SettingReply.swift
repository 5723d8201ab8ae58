/// What a ring answers to a read or a write of a ``SettingCommand``.
public struct SettingReply<Owner: SettingCommand>: ReplyPacket {
    /// Which of the two it answers.
    public enum Content: Hashable, Sendable {
        /// A read: the setting as it is.
        case reading(Owner.Reading)
        /// A write: what the ring repeats of it.
        case written(Owner.Echo)
        /// Neither; what follows is kept.
        case undescribed(UndescribedAction)
    }

    /// What it says.
    public let content: Content
    /// What follows; firmware differs.
    public let unclaimed: InlineBytes

    /// Either answer.
    @inlinable @inline(__always)
    public init(_ content: Content) {
        self.content = content
        unclaimed = InlineBytes()
    }

    /// Either answer, with bytes behind its fields that nobody has explained.
    ///
    /// What does not fit into a frame is left out.
    public init(_ content: Content, followedBy unclaimed: InlineBytes) {
        self.content = content
        self.unclaimed = unclaimed.trimmingZeros
    }

    /// The setting, if it was read.
    @inlinable
    public var reading: Owner.Reading? {
        if case .reading(let reading) = content { reading } else { nil }
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        let action = try reader.reportedSelector("action", SettingAction.self)
        switch action.known {
        case .read: content = .reading(try Owner.Reading(from: &reader))
        case .write: content = .written(try Owner.Echo(from: &reader))
        case nil: content = .undescribed(UndescribedAction(action.rawValue))
        }
        unclaimed = try reader.unclaimed()
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        switch content {
        case .reading(let reading):
            writer.selector("action", SettingAction.read)
            reading.encode(into: &writer)
        case .written(let echo):
            writer.selector("action", SettingAction.write)
            echo.encode(into: &writer)
        case .undescribed(let action):
            writer.reportedSelector("action", action)
        }
        writer.unclaimed(unclaimed)
    }
}
