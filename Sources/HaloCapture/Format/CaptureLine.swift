public import HaloProtocol

/// One line of a capture.
public enum CaptureLine: Hashable, Sendable {
    /// `halo-capture 1`, the first line of a recording.
    case version
    /// Nothing.
    case blank
    /// `#`: something for people, or a tag.
    case comment(CaptureText)
    /// `@`: a short name for a characteristic.
    case name(CaptureName, BluetoothUUID)
    /// `*`: something happened on a connection.
    case event(CaptureEvent, link: CaptureName?)
    /// `>` or `<`: a value went over the air.
    case packet(CapturePacket)
    /// `+`: time passed.
    case elapsed(microseconds: UInt64)
    /// `=`: what the packet before says.
    case reading(CaptureText)
    /// `!`: why the packet before says nothing.
    case error(CaptureText)

    /// The packet, if the line is one.
    public var packet: CapturePacket? {
        if case .packet(let packet) = self { packet } else { nil }
    }
}
