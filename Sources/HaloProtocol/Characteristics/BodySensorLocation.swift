/// The value of the Body Sensor Location characteristic, 2A38: where a heart-rate sensor is worn.
///
///     ← place                          0 other … 6 foot; the others are reserved and kept
public struct BodySensorLocation: BytePacket {
    public static var name: PacketName { PacketName("BodySensorLocation") }

    /// Where the sensor is worn; a ring's place is the finger.
    public var place: Reported<Place>

    /// A known place.
    public init(_ place: Place) {
        self.place = Reported(place)
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        place = try reader.reported("place")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.reported("place", place)
    }

    /// A part of the body.
    public enum Place: UInt8, FieldCode {
        /// None of those that have a number.
        case other = 0
        /// The chest, under a strap.
        case chest = 1
        /// The wrist.
        case wrist = 2
        /// A finger.
        case finger = 3
        /// The hand.
        case hand = 4
        /// An ear lobe.
        case earLobe = 5
        /// A foot.
        case foot = 6

        public var label: FieldName {
            switch self {
            case .other: "other"
            case .chest: "chest"
            case .wrist: "wrist"
            case .finger: "finger"
            case .hand: "hand"
            case .earLobe: "ear lobe"
            case .foot: "foot"
            }
        }
    }
}
