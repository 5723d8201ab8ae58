internal import HaloTransport

protocol AirPacket {
    /// The packet as the subject of a fault, with the attribute and the value if it carries one;
    /// `nil` if no fault affects it.
    var subject: (FaultSubject, AttributeID, [UInt8])? { get }
}
