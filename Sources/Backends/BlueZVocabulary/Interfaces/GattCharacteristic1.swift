#if os(Linux)
package import HaloDBus

/// `org.bluez.GattCharacteristic1`: a characteristic, of a device or of a program that hosts one.
package enum GattCharacteristic1 {
    package static let interfaceName = "org.bluez.GattCharacteristic1"

    package static let readValue = "ReadValue"
    package static let writeValue = "WriteValue"
    /// Returns a socket for writes without response.
    package static let acquireWrite = "AcquireWrite"
    /// Returns a socket for notifications.
    package static let acquireNotify = "AcquireNotify"
    /// Subscribes; notifications are changes of ``value``.
    package static let startNotify = "StartNotify"
    package static let stopNotify = "StopNotify"
    /// Of a hosted characteristic only: a central has confirmed an indication.
    package static let confirm = "Confirm"
    package static let uuid = "UUID"
    package static let service = "Service"
    /// The value that was read or notified last.
    package static let value = "Value"
    /// `true` while a client is subscribed.
    package static let notifying = "Notifying"
    /// The properties, as ``AttributeFlags``.
    package static let flags = "Flags"
    /// `true` while a client holds the socket for writes.
    package static let writeAcquired = "WriteAcquired"
    /// `true` while a client holds the socket for notifications.
    package static let notifyAcquired = "NotifyAcquired"
    /// The MTU of the link, in bytes.
    package static let mtu = "MTU"

    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .readValue,
            .writeValue,
            .acquiring(acquireWrite),
            .acquiring(acquireNotify),
            .init(startNotify),
            .init(stopNotify),
        ],
        properties: [
            .init(uuid, .string),
            .init(service, .objectPath),
            .init(value, .array(.byte)),
            .init(notifying, .boolean),
            .init(flags, .array(.string)),
            .init(writeAcquired, .boolean),
            .init(notifyAcquired, .boolean),
            .init(mtu, .uint16),
        ])

    /// The interface of a hosted characteristic. It lacks ``writeAcquired`` and ``notifyAcquired``:
    /// with these properties, the daemon would request sockets.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        methods: [
            .readValue,
            .writeValue,
            .init(startNotify),
            .init(stopNotify),
            .init(confirm),
        ],
        properties: [
            .init(uuid, .string),
            .init(service, .objectPath),
            .init(flags, .array(.string)),
            .init(value, .array(.byte)),
        ])
}
#endif
