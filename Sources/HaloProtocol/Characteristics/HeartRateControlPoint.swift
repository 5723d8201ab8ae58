/// The value of the Heart Rate Control Point characteristic, 2A39: what an app tells a sensor.
///
///     → 01                             energy counts from zero again
///
/// A sensor has it only if it counts energy. It answers any other byte with an ATT error.
public struct HeartRateControlPoint: BytePacket {
    public static var name: PacketName { PacketName("HeartRateControlPoint") }

    /// What the sensor is told to do.
    public var order: Order

    /// Lets the sensor count energy from zero again.
    public static let resetEnergy = HeartRateControlPoint(order: .resetEnergy)

    /// The ATT error with which a sensor refuses a byte that it does not know.
    public static var notSupportedError: UInt8 { 0x80 }
    /// What the specification calls that error.
    public static var notSupportedErrorName: FieldName { "Control Point Not Supported" }

    /// An order.
    public init(order: Order) {
        self.order = order
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        order = try reader.code("order")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.code("order", order)
    }

    /// What a sensor can be told to do.
    public enum Order: UInt8, FieldCode {
        /// Count energy from zero again.
        case resetEnergy = 1

        public var label: FieldName {
            switch self {
            case .resetEnergy: "reset energy"
            }
        }
    }
}
