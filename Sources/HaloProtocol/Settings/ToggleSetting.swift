/// A setting that is nothing but on or off.
@frozen
public struct ToggleSetting: FrameFields {
    /// On, or one of the two ways to write off.
    public var enabled: Reported<Toggle>

    /// On or off, in the dialect that the toggle is written in.
    @inlinable @inline(__always)
    public init(_ enabled: Toggle) {
        self.enabled = Reported(enabled)
    }

    /// Whether it is on.
    @inlinable public var isOn: Bool { enabled.isOn }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        enabled = try reader.reported("enabled")
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        writer.reported("enabled", enabled)
    }
}
