public import HaloTransport

/// The options of a recording: tags, names and advertisements.
public struct RecordingOptions: Sendable {
    /// The text of the tag `source:`.
    public var source: CaptureText = "recorded by HaloProtocol"
    /// The text of the tag `device:`: model and firmware, if known in advance; otherwise `nil`.
    public var device: CaptureText?
    /// The names of connections by device. The first device that is not in the list has no name;
    /// further ones are `link-2`, `link-3` and so on.
    public var linkNames: [PeripheralIdentity: CaptureName] = [:]
    /// `true` if the advertisements of a device are recorded: the last one before its connection,
    /// and all later ones. The transport must report their bytes.
    public var keepsAdvertisements = true

    /// Creates options with advertisements and without names.
    public init() {}
}
