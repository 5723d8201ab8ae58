internal import HaloTransport

/// A packet in either direction.
protocol AirPacket {
    /// The packet as the subject of a fault, with the attribute and the value if it carries one;
    /// `nil` if no fault affects it.
    var subject: (FaultSubject, AttributeID, [UInt8])? { get }
}
