import HaloCapture
import HaloProtocol

enum RecordKind: Hashable, Sendable {
    /// A packet between a host and its controller, without its type byte.
    ///
    /// The direction is `nil` if the format lacks it; it then follows from the type or from the
    /// bytes. Each adapter of a computer has a number.
    case hci(HCIPacketType, HCIDirection?, adapter: UInt16)
    /// A record of Linux' Bluetooth monitor, by its opcode.
    case monitor(opcode: UInt16, adapter: UInt16)
    /// A packet in the air: access address, header and payload, without preamble and CRC.
    case air(AirReception)
    /// A value of an attribute that a log names by its handle; the action is `nil` if the log has
    /// none.
    case attribute(Direction, UInt16, CaptureAction?)
    /// A bare value of a log without attributes; the action is `nil` if the log has none.
    case value(Direction, CaptureChannel, CaptureAction?)
}
