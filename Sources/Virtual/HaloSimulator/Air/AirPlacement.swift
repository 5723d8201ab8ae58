public import HaloTransport

/// The position of a device in an air, and the behaviour of its radio.
public struct AirPlacement: Hashable, Sendable {
    /// The distance to the centrals.
    package var distanceCentimetres: Int
    /// The attenuation by walls and bodies in decibels: a wall takes three to fifteen.
    package var wallDecibels: Int
    /// The MTU that its radio requests after connecting; 23 for no request.
    package var mtu: Int
    /// The connection parameters before the device requests others.
    package var parameters: LinkParameters

    /// Creates a placement two metres away, with an MTU of 247 and a connection interval of 48 ms,
    /// as captured in the first seconds of a ring's connection.
    public init(
        distanceCentimetres: Int = 200, wallDecibels: Int = 0, mtu: Int = 247,
        parameters: LinkParameters = LinkParameters(
            interval: .milliseconds(48), latency: 0, supervisionTimeout: .seconds(5))
    ) {
        self.distanceCentimetres = distanceCentimetres
        self.wallDecibels = wallDecibels
        self.mtu = mtu
        self.parameters = parameters
    }
}
