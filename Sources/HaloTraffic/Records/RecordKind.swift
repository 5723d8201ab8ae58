import HaloCapture
import HaloProtocol

/// What the bytes of a record are.
enum RecordKind: Hashable, Sendable {
    /// A packet between a host and its controller, without the byte that tells its type.
    ///
    /// The direction is missing where the format does not note it: then the type, or what follows
    /// from the bytes, has to say. Each adapter of a computer has its number.
    case hci(HCIPacketType, HCIDirection?, adapter: UInt16)
    /// A record of Linux' Bluetooth monitor, by its opcode.
    case monitor(opcode: UInt16, adapter: UInt16)
    /// A packet in the air: access address, header, payload, without preamble and CRC.
    case air(AirReception)
    /// A value without anything around it, out of a log that names no attributes; with what was
    /// done, where the log says so.
    case value(Direction, CaptureChannel, CaptureAction?)
}

/// The type of a packet between a host and its controller: the byte before it on a UART.
enum HCIPacketType: UInt8, Hashable, Sendable {
    /// Of the host to the controller.
    case command = 0x01
    /// Data of a connection.
    case acl = 0x02
    /// Voice.
    case synchronous = 0x03
    /// Of the controller to the host.
    case event = 0x04
    /// Isochronous data.
    case isochronous = 0x05
}

/// Which way a packet went between a host and its controller.
enum HCIDirection: Hashable, Sendable {
    /// From the host: it goes into the air.
    case toController
    /// From the controller: it came out of the air.
    case toHost
}

/// How a packet in the air was received.
struct AirReception: Hashable, Sendable {
    /// Which side sent it, where the recorder followed the connection.
    var direction: Direction?
    /// How strong the signal was in dBm, where that was noted.
    var strength: Int8?
    /// Whether its CRC was right, where that was noted.
    var isIntact: Bool?
    /// Whether the recorder could decrypt it, and has.
    var isDecrypted = false
}

/// Where a record stands in its file, and when it was heard.
struct RecordPlace: Hashable, Sendable {
    /// Which record it is, counted from 1.
    var number: Int
    /// Where in the file it begins, in bytes.
    var offset: Int
    /// When it was heard: microseconds since 1970 in UTC, or since the recorder began if the
    /// format knows no date.
    var microseconds: Int64
}

/// Takes in what the records of a file hold, one after another.
protocol RecordSink {
    /// Takes in one record.
    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace)

    /// Takes note of a record that could not be read, or was cut short by the recorder.
    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace)
}
