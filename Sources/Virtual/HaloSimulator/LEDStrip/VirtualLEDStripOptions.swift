/// The features of a virtual LED strip.
public struct VirtualLEDStripOptions: Hashable, Sendable {
    /// The name that it advertises.
    public var name = "Triones-0A1B2C"
    /// `true` if its advertisement lists the service for commands; not all strips do.
    public var advertisesService = true
    /// `true` if it is on at first.
    public var isOn = true

    /// Creates the options of a strip that is on.
    public init() {}
}
