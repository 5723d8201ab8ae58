#if os(Linux)
package import HaloDBus

/// `org.bluez.GattService1`: a service, of a device or of a program that hosts one.
package enum GattService1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattService1"

    /// The UUID, as text.
    package static let uuid = "UUID"
    /// The object path of the device.
    package static let device = "Device"
    /// `true` for a primary service.
    package static let primary = "Primary"
    /// The object paths of included services.
    package static let includes = "Includes"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(device, .objectPath),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])

    /// The interface of a hosted service.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])
}

/// `org.bluez.GattCharacteristic1`: a characteristic, of a device or of a program that hosts one.
package enum GattCharacteristic1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattCharacteristic1"

    /// Reads the value.
    package static let readValue = "ReadValue"
    /// Writes the value.
    package static let writeValue = "WriteValue"
    /// Returns a socket for writes without response.
    package static let acquireWrite = "AcquireWrite"
    /// Returns a socket for notifications.
    package static let acquireNotify = "AcquireNotify"
    /// Subscribes; notifications are changes of ``value``.
    package static let startNotify = "StartNotify"
    /// Unsubscribes.
    package static let stopNotify = "StopNotify"
    /// Of a hosted characteristic only: a central has confirmed an indication.
    package static let confirm = "Confirm"
    /// The UUID, as text.
    package static let uuid = "UUID"
    /// The object path of the service.
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

    /// The interface as the daemon describes it.
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

/// `org.bluez.GattDescriptor1`: a descriptor, of a device or of a program that hosts one.
package enum GattDescriptor1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattDescriptor1"

    /// Reads the value.
    package static let readValue = GattCharacteristic1.readValue
    /// Writes the value.
    package static let writeValue = GattCharacteristic1.writeValue
    /// The UUID, as text.
    package static let uuid = "UUID"
    /// The object path of the characteristic.
    package static let characteristic = "Characteristic"
    /// The value that was read last.
    package static let value = "Value"
    /// Of a hosted descriptor only: the permitted operations, as ``AttributeFlags``.
    package static let flags = "Flags"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [.readValue, .writeValue],
        properties: [
            .init(uuid, .string),
            .init(characteristic, .objectPath),
            .init(value, .array(.byte)),
        ])

    /// The interface of a hosted descriptor.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        methods: [.readValue, .writeValue],
        properties: [
            .init(uuid, .string),
            .init(characteristic, .objectPath),
            .init(flags, .array(.string)),
        ])
}

extension DBusInterface.Method {
    fileprivate static let readValue = Self(
        GattCharacteristic1.readValue, [.init("options", .options)],
        returns: [.init("value", .array(.byte))])

    fileprivate static let writeValue = Self(
        GattCharacteristic1.writeValue,
        [.init("value", .array(.byte)), .init("options", .options)])

    fileprivate static func acquiring(_ name: String) -> Self {
        Self(
            name, [.init("options", .options)],
            returns: [.init("fd", .unixFD), .init("mtu", .uint16)])
    }
}

/// `org.bluez.GattProfile1`: an object of a program that requests connections to devices with
/// certain services.
package enum GattProfile1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattProfile1"

    /// The services, as text.
    package static let uuids = "UUIDs"
}

/// `org.bluez.GattManager1`: registers the services that a program hosts.
package enum GattManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattManager1"

    /// Registers the objects below a path.
    package static let registerApplication = "RegisterApplication"
    /// Withdraws the registration.
    package static let unregisterApplication = "UnregisterApplication"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                registerApplication,
                [.init("application", .objectPath), .init("options", .options)]),
            .init(unregisterApplication, [.init("application", .objectPath)]),
        ])
}
#endif
