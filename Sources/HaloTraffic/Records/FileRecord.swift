import HaloCapture
import HaloProtocol

/// The type of a record's bytes.
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

/// The type of a packet between a host and its controller, as in the byte before it on a UART.
enum HCIPacketType: UInt8, Hashable, Sendable {
    /// A command of the host to the controller.
    case command = 0x01
    /// Data of a connection.
    case acl = 0x02
    /// Voice data.
    case synchronous = 0x03
    /// An event of the controller to the host.
    case event = 0x04
    /// Isochronous data.
    case isochronous = 0x05
}

/// The direction of a packet between a host and its controller.
enum HCIDirection: Hashable, Sendable {
    /// From the host into the air.
    case toController
    /// Out of the air to the host.
    case toHost

    /// The other direction.
    var opposite: HCIDirection {
        switch self {
        case .toController: .toHost
        case .toHost: .toController
        }
    }
}

/// The metadata of a packet in the air, as recorded by a sniffer.
struct AirReception: Hashable, Sendable {
    /// The direction, or `nil` if the sniffer did not follow the connection.
    var direction: Direction?
    /// The signal strength in dBm, or `nil` if it was not recorded.
    var strength: Int8?
    /// `true` if the CRC was correct, `nil` if that was not recorded.
    var isIntact: Bool?
    /// `true` if the sniffer has decrypted the packet.
    var isDecrypted = false
}

/// The position of a record in its file, and its time.
struct FilePosition: Hashable, Sendable {
    /// The number of the record, counted from 1.
    var number: Int
    /// The file offset of the record.
    var offset: Int
    /// The time in microseconds: since 1970 in UTC, or since the recorder began if the format has
    /// no dates.
    var microseconds: Int64

    /// The position before the first record.
    static let start = FilePosition(number: 0, offset: 0, microseconds: 0)
}

/// A receiver of the records of a file, one after another.
protocol RecordSink {
    /// Receives one record.
    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition)

    /// Notes an irregularity: a record that could not be read, or was cut short by the recorder.
    mutating func note(_ oddity: TrafficOddity, at position: FilePosition)
}

/// Counts the records of a file, and detects times that run backwards.
struct RecordCounter: Sendable {
    /// The maximum length of a packet in bytes: twice the maximum of Bluetooth.
    static let longestPacket = 1 << 17

    /// The number of records so far.
    private(set) var count = 0
    /// The time of the last record, or `nil` before the first.
    private(set) var time: Int64?

    /// Counts a record, and returns its position.
    mutating func next(
        at offset: Int, _ microseconds: Int64, into sink: inout some RecordSink
    ) -> FilePosition {
        count += 1
        let position = FilePosition(number: count, offset: offset, microseconds: microseconds)
        if let time, microseconds < time { sink.note(.timeBackwards, at: position) }
        time = microseconds
        return position
    }

    /// Checks the length of a packet. Throws if no packet can be that long.
    static func packetLength(_ length: Int, at offset: Int) throws(TrafficError) -> Int {
        guard length <= longestPacket else {
            throw TrafficError(.recordTooLong, at: offset, found: length)
        }
        return length
    }
}
