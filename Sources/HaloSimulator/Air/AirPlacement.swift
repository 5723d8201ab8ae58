public import HaloTransport

/// How a device is placed in an air, and what its radio does by itself.
public struct AirPlacement: Hashable, Sendable {
    /// How far it is from the centrals.
    public var centimetres: Int
    /// How much of the signal walls and bodies on the way take: a wall takes three to fifteen.
    public var wallDecibels: Int
    /// The MTU that its radio asks for when a central has connected; 23 means that it never asks.
    public var mtu: Int
    /// The rhythm of a link before the device asks for another.
    public var parameters: LinkParameters

    /// Two metres away, with a radio that asks for an MTU of 247 as rings do, and a link that meets
    /// every 48 ms: what is known of the rings' first seconds.
    public init(
        centimetres: Int = 200, wallDecibels: Int = 0, mtu: Int = 247,
        parameters: LinkParameters = LinkParameters(
            interval: .milliseconds(48), latency: 0, supervisionTimeout: .seconds(5))
    ) {
        self.centimetres = centimetres
        self.wallDecibels = wallDecibels
        self.mtu = mtu
        self.parameters = parameters
    }
}
