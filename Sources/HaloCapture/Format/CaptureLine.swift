public import HaloProtocol

/// One line of a capture.
public enum CaptureLine: Hashable, Sendable {
    /// `halo-capture 2`, the first line of a recording.
    case version(CaptureVersion)
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

/// A version of the format.
public enum CaptureVersion: Int, CaseIterable, Hashable, Sendable {
    /// Lines do not say what was done with a value.
    case one = 1
    /// They can; all that version 1 says, this one says in the same words.
    case two

    /// The one that is written.
    public static let current = CaptureVersion.two

    static let keyword = "halo-capture"

    /// The first line of a recording of this version.
    var line: String { "\(Self.keyword) \(rawValue)" }
}
