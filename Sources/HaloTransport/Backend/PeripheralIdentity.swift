/// Which device is meant, in the words of a backend: stable on one computer, and opaque.
///
/// It is an address on Linux, a number made up by the system on Apple's. It may be stored, and
/// be connected to again through the same kind of backend.
public struct PeripheralIdentity: Hashable, Sendable {
    /// The backend's text.
    public let rawValue: String

    /// A device by the text of an earlier identity.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension PeripheralIdentity: CustomStringConvertible {
    /// The backend's text.
    public var description: String { rawValue }
}
