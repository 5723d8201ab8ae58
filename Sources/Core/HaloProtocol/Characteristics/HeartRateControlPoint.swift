/// The value of the Heart Rate Control Point characteristic, 2A39: a command to a sensor.
///
///     → 01                             resets the energy to zero
///
/// Only sensors that count energy have it. They refuse any other byte with an ATT error.
public struct HeartRateControlPoint: BytePacket {
    public static var name: PacketName { PacketName("HeartRateControlPoint") }

    public var operation: Operation

    public static let resetEnergy = HeartRateControlPoint(operation: .resetEnergy)

    /// The ATT error of a sensor for an unknown byte.
    package static var notSupportedError: UInt8 { 0x80 }

    public init(operation: Operation) {
        self.operation = operation
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        operation = try io.code("operation", packet?.operation, .open)
    }

    /// The operations of a sensor.
    public enum Operation: UInt8, FieldCode {
        case resetEnergy = 1
    }
}
