/// The value of the Body Sensor Location characteristic, 2A38: the part of the body on which a
/// heart-rate sensor is worn.
///
///     ← location                          0 other … 6 foot; the others are reserved and kept
public struct BodySensorLocation: BytePacket {
    public static var name: PacketName { PacketName("BodySensorLocation") }

    /// The location of the sensor; a ring's is the finger.
    public var location: Reported<Location>

    public init(_ location: Location) {
        self.location = Reported(location)
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        location = try io.reported("location", packet?.location, .open)
    }

    /// A part of the body.
    public enum Location: UInt8, FieldCode {
        /// A location without a number of its own.
        case other = 0
        case chest = 1
        case wrist = 2
        case finger = 3
        case hand = 4
        case earLobe = 5
        case foot = 6
    }
}
