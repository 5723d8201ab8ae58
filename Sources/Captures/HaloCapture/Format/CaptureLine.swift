public import HaloProtocol

/// One line of a capture.
public enum CaptureLine: Hashable, Sendable {
    /// `halo-capture 2`, the first line of a recording.
    case version
    /// An empty line.
    case blank
    /// `#`: a comment for people, or a tag.
    case comment(CaptureText)
    /// `@`: a short name for a characteristic.
    case name(CaptureName, BluetoothUUID)
    /// `*`: an event of a connection.
    case event(CaptureEvent, link: CaptureName?)
    /// `>` or `<`: a value was sent to the device, or by it.
    case packet(CapturePacket)
    /// `+`: the time since the previous line.
    case elapsed(microseconds: UInt64)
    /// `=`: the reading of the previous packet.
    case reading(CaptureText)
    /// `!`: the error of the previous packet, which cannot be decoded.
    case error(CaptureText)

    static let versionWord = "halo-capture"
    static let versionNumber = "2"
    static let versionText = "\(versionWord) \(versionNumber)"

    /// The packet of a packet line; `nil` for other lines.
    public var packet: CapturePacket? {
        if case .packet(let packet) = self { packet } else { nil }
    }
}
