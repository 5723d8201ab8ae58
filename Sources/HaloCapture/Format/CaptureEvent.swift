public import HaloProtocol
public import HaloTransport

/// What happened on a connection, or before there was one.
public enum CaptureEvent: Hashable, Sendable {
    /// The connection stands; with the maximum transfer unit, where it is known.
    case connected(mtu: UInt16?)
    /// Both sides agreed on a maximum transfer unit.
    case mtu(UInt16)
    /// Notifications or indications were switched on.
    case subscribed(CaptureChannel)
    /// They were switched off.
    case unsubscribed(CaptureChannel)
    /// A value was asked for; the next value from the channel is the answer.
    case read(CaptureChannel)
    /// The device has acknowledged the first write to the channel that it had not answered.
    case acknowledged(CaptureChannel)
    /// The device has refused the first read of the channel, write or subscription to it that it
    /// had not answered; with its code.
    case refused(CaptureChannel, code: UInt8)
    /// The last value of the channel was an indication, and the app has confirmed it.
    case confirmed(CaptureChannel)
    /// The device has a characteristic, in a service, that can be used so.
    case offers(service: BluetoothUUID, characteristic: BluetoothUUID, GATTProperties)
    /// What the device offers is other than before; offers that follow are the new ones.
    case servicesChanged
    /// The connection is encrypted from here on.
    case encrypted
    /// The connection ended; with the controller's reason, where it is known.
    case disconnected(reason: UInt8?)
    /// An advertisement was heard; with its strength in dBm, where it is known.
    case advertised(rssi: Int8?)

    /// What a maximum transfer unit can be.
    public static let mtuRange: ClosedRange<UInt16> = 23...517

    /// The maximum transfer unit that the event names.
    var mtu: UInt16? {
        switch self {
        case .connected(let mtu): mtu
        case .mtu(let mtu): mtu
        default: nil
        }
    }
}
