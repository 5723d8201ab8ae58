public import HaloTransport

/// What a recorder records beyond what goes over links, and how it names things.
public struct RecordingOptions: Sendable {
    /// What the `source:` tag says.
    public var source: CaptureText = "recorded by HaloProtocol"
    /// What the `device:` tag says: model and firmware, where they are known beforehand.
    public var device: CaptureText?
    /// Names for connections to devices. The first device that has none here is the one without a
    /// name; further ones are `link-2`, `link-3` and so on.
    public var linkNames: [PeripheralIdentity: CaptureName] = [:]
    /// Whether the advertisements of a device are recorded: the last one before it is connected
    /// to, and all afterwards. The transport has to tell their bytes.
    public var keepsAdvertisements = true

    /// Advertisements, and no names.
    public init() {}
}
