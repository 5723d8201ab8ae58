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
    /// A connection; the address is `nil` for one that was open when the recording began.
    case connected(DeviceAddress?, DeviceRole)
    /// The role of a connection whose beginning was not recorded was decided, or its basis has
    /// changed.
    case role(DeviceRole, RoleBasis)
    /// The connection is encrypted from here on; `isReadable` is `true` if packets can still be
    /// read.
    case encrypted(isReadable: Bool)
    case mtu(UInt16)
    case service(BluetoothUUID, first: UInt16, last: UInt16, isPrimary: Bool)
    /// A characteristic was discovered, with the handle of its value.
    case characteristic(BluetoothUUID, value: UInt16, GATTProperties)
    case descriptor(BluetoothUUID, handle: UInt16)
    /// The value was written, notified or indicated, or is the answer to a read, whole at any
    /// length. Prepared pieces are written at their execution; a signed value has no signature.
    case transferred(UInt16, CaptureAction)
    /// The device has acknowledged the only unanswered write to the handle.
    case acknowledged(UInt16)
    /// The device has refused the last read of, or write to, the handle.
    case refused(UInt16, ATTError)
    case readBegun(UInt16)
    case confirmed(UInt16)
    case disconnected(reason: UInt8?)
    /// A value on a channel named by the log; the action is `nil` if the log has none.
    case value(Direction, CaptureChannel, CaptureAction?)
    case odd(TrafficOddity)
}

/// The connection number of events without a connection.
let noConnection = -1
