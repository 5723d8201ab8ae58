/// The identity of a device for a backend: opaque text that is stable on one computer.
///
/// It is an address on Linux, and a UUID made up by the system on Apple's platforms. An app may
/// store it, to connect again later through the same kind of backend.
public struct PeripheralIdentity: Hashable, Sendable, CustomStringConvertible, Codable {
    /// The backend's text.
    public let rawValue: String

    /// Creates an identity from the text of an earlier one.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The backend's text.
    public var description: String { rawValue }

    /// Decodes the backend's text.
    public init(from decoder: any Decoder) throws {
        self.init(try String(from: decoder))
    }

    /// Encodes the backend's text.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}
