import HaloCapture
import HaloProtocol
import HaloTransport

/// An event between an app and a device, in terms of the device's attribute handles.
///
/// Values are passed beside the event, in a span. The point of view is the app's: the device is the
/// side that holds the attributes.
enum ConversationEvent: Hashable, Sendable {
    /// An advertisement or a scan response of any device, with its data as the value; the address
    /// is `nil` for an anonymous one.
    case advertised(DeviceAddress?, strength: Int8?, isScanResponse: Bool)
    /// The address of an adapter of the recorder, or its name as the value.
    case recorder(adapter: UInt16, DeviceAddress?)
    /// A connection; the address is `nil` for one that was open when the recording began.
    case connected(DeviceAddress?, DeviceRole)
    /// The role of a connection whose beginning was not recorded was decided, or its basis has
    /// changed.
    case role(DeviceRole, RoleBasis)
    /// The connection is encrypted from here on; `isReadable` is `true` if packets can still be
    /// read.
    case encrypted(isReadable: Bool)
    /// Both sides agreed on a maximum transfer unit.
    case mtu(UInt16)
    /// A service was discovered, with the range of its handles.
    case service(BluetoothUUID, first: UInt16, last: UInt16, isPrimary: Bool)
    /// A characteristic was discovered, with the handle of its value.
    case characteristic(BluetoothUUID, value: UInt16, GATTProperties)
    /// A descriptor was discovered.
    case descriptor(BluetoothUUID, handle: UInt16)
    /// The app has written the value.
    case written(UInt16, WriteKind)
    /// The device has acknowledged the only unanswered write to the handle.
    case acknowledged(UInt16)
    /// The device has refused the last read of, or write to, the handle.
    case refused(UInt16, ATTError)
    /// The app has requested the value of the handle.
    case readBegun(UInt16)
    /// The device has answered with the value, which is whole at any length.
    case readAnswered(UInt16)
    /// The device has notified the value.
    case notified(UInt16)
    /// The device has indicated the value.
    case indicated(UInt16)
    /// The app has confirmed the last indication of the handle.
    case confirmed(UInt16)
    /// The connection has ended, with the controller's reason.
    case disconnected(reason: UInt8?)
    /// A value on a channel named by the log; the action is `nil` if the log has none.
    case value(Direction, CaptureChannel, CaptureAction?)
    /// An irregularity.
    case odd(TrafficOddity)
}

/// The kind of a write.
enum WriteKind: Hashable, Sendable {
    /// A write with response.
    case request
    /// A write without response.
    case command
    /// A signed write without response; the value is passed without the signature.
    case signed
    /// Prepared pieces that were executed together.
    case prepared

    /// The action that a capture line names.
    var action: CaptureAction {
        switch self {
        case .request, .prepared: .write
        case .command: .command
        case .signed: .signed
        }
    }
}

/// The end of a connection at which the recorder was.
public enum DeviceRole: Hashable, Sendable {
    /// The recorder was on the app's host: the device is the remote side.
    case remote
    /// The recorder was on the device itself.
    case local
    /// The recorder was a sniffer between them.
    case overheard
    /// Unknown, as the recording began during the connection.
    case unknown
}

/// The basis of a connection's ``DeviceRole``.
public enum RoleBasis: Hashable, Sendable {
    /// The beginning of the connection is in the log.
    case recorded
    /// The options of the import.
    case given
    /// A packet that only a central or only a peripheral sends.
    case certain
    /// The packets of the attribute protocol, of which so many support the role, and so many
    /// contradict it.
    case likely(supporting: Int, contradicting: Int)
    /// No basis: the recorder is taken to be on the app's host.
    case assumed
}

/// A receiver of the events between apps and devices.
///
/// Connections are numbered from 0 in the order of their first records, and numbers are not reused.
/// An event that belongs to no connection has the number `noConnection`.
protocol ConversationSink: Sendable {
    /// Receives one event; the value is empty for an event without a value.
    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition)

    /// Ends the recording; called once, also after an error. By default, it does nothing.
    mutating func finish()
}

extension ConversationSink {
    mutating func finish() {}
}

/// The connection number of events without a connection.
let noConnection = -1

/// A sink together with the connection and the record that are being decoded.
struct ConversationOutput<Sink: ConversationSink>: Sendable {
    /// The receiver of the events.
    var sink: Sink
    /// The record that is being decoded.
    var position = FilePosition.start
    /// The connection whose packet is being decoded.
    var connection = noConnection

    /// Creates an output before the first record.
    init(_ sink: Sink) {
        self.sink = sink
    }

    /// Emits an event with a value on the current connection.
    @inline(__always)
    mutating func emit(_ event: ConversationEvent, _ value: Span<UInt8>) {
        sink.receive(event, value, on: connection, at: position)
    }

    /// Emits an event without a value on the current connection.
    @inline(__always)
    mutating func emit(_ event: ConversationEvent) { emit(event, on: connection) }

    /// Emits an event without a value on a given connection.
    mutating func emit(_ event: ConversationEvent, on connection: Int) {
        sink.receive(event, Span(), on: connection, at: position)
    }

    /// Emits an irregularity on the current connection.
    mutating func note(_ oddity: TrafficOddity) { emit(.odd(oddity)) }
}
