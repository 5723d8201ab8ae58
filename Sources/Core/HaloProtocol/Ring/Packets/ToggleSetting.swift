/// A setting that is on or off.
@frozen
public struct ToggleSetting: FrameFields {
    /// The toggle: on, or one of the two forms of off.
    public var enabled: Reported<SwitchState>

    @inlinable @inline(__always)
    public init(_ enabled: SwitchState) {
        self.enabled = Reported(enabled)
    }

    /// `true` if the toggle is on.
    @inlinable public var isOn: Bool { enabled.isOn }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        enabled = try io.reported("enabled", packet?.enabled, .open)
    }
}
