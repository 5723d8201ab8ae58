import HaloCapture
import HaloProtocol
import HaloTransport

/// What happened between an app and a device, in terms of the device's attribute handles.
///
/// Values travel beside the event, in a span. A conversation is told from the app's side: the
/// device is the one that holds the attributes.
enum ConversationEvent: Hashable, Sendable {
    /// An advertisement, or the response to a scan, of any device; the value is its data.
    case advertised(DeviceAddress, strength: Int8?, isScanResponse: Bool)
    /// A connection stands; also said, without an address, of one that stood when the recording
    /// began.
    case connected(DeviceAddress?, DeviceRole)
    /// The connection is encrypted from here on; whether it can still be read.
    case encrypted(isReadable: Bool)
    /// Both sides agreed on a maximum transfer unit.
    case mtu(UInt16)
    /// A service has attributes of these handles.
    case service(BluetoothUUID, first: UInt16, last: UInt16, isPrimary: Bool)
    /// A characteristic was declared; its value has the handle.
    case characteristic(BluetoothUUID, value: UInt16, GATTProperties)
    /// A descriptor has the handle.
    case descriptor(BluetoothUUID, handle: UInt16)
    /// The app has written the value.
    case written(UInt16, WrittenHow)
    /// The device has acknowledged the last write to the handle.
    case acknowledged(UInt16)
    /// The device has refused the last read of, or write to, the handle.
    case refused(UInt16, ATTError)
    /// The app asks for the value of the handle.
    case readBegun(UInt16)
    /// The device has answered with the value, which is whole however long it is.
    case readAnswered(UInt16)
    /// The device has sent the value by itself.
    case notified(UInt16)
    /// The device has sent the value by itself and wants to know that it came.
    case indicated(UInt16)
    /// The app has confirmed the last indication of the handle.
    case confirmed(UInt16)
    /// The connection has ended, with the controller's reason.
    case disconnected(reason: UInt8?)
    /// A value went over, on a channel that the log itself names; with what was done, where the
    /// log says so.
    case value(Direction, CaptureChannel, CaptureAction?)
    /// Something looks wrong.
    case odd(TrafficOddity)
}

/// How an app has written a value.
enum WrittenHow: Hashable, Sendable {
    /// With a response to come.
    case request
    /// Without a response.
    case command
    /// Without a response, and signed; the value is without the signature.
    case signed
    /// In several pieces, which were then put into effect together.
    case prepared

    /// The same in the words of captures.
    var action: CaptureAction {
        switch self {
        case .request, .prepared: .write
        case .command: .command
        case .signed: .signed
        }
    }
}

/// Takes in what happened between apps and devices.
///
/// Connections are counted from 0 as they are first met, and never used twice; what belongs to
/// none, an advertisement, has the number `noConnection`.
protocol ConversationSink {
    /// Takes in one event; the value is empty where the event has none.
    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int, at place: RecordPlace)
}

/// The number of no connection.
let noConnection = -1
