#if os(Linux)
package import HaloDBus

/// `org.bluez.GattCharacteristic1`. A characteristic of a service.
package enum GattCharacteristic1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattCharacteristic1"

    /// Reads it.
    package static let readValue = GattDescriptor1.readValue
    /// Writes it.
    package static let writeValue = GattDescriptor1.writeValue
    /// Gives a socket to write to.
    package static let acquireWrite = "AcquireWrite"
    /// Gives a socket to read from.
    package static let acquireNotify = "AcquireNotify"
    /// Has its values told.
    package static let startNotify = "StartNotify"
    /// Ends that.
    package static let stopNotify = "StopNotify"
    /// Which one.
    package static let uuid = "UUID"
    /// Of what.
    package static let service = "Service"
    /// Its last known value.
    package static let value = "Value"
    /// Whether values are told.
    package static let notifying = "Notifying"
    /// What can be done with it.
    package static let flags = "Flags"
    /// Whether somebody has the socket to write.
    package static let writeAcquired = "WriteAcquired"
    /// Whether somebody has the socket to read.
    package static let notifyAcquired = "NotifyAcquired"
    /// How long packets can be.
    package static let mtu = "MTU"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .readValue,
            .writeValue,
            .init(
                acquireWrite, [.init("options", .options)],
                returns: [.init("fd", .unixFD), .init("mtu", .uint16)]),
            .init(
                acquireNotify, [.init("options", .options)],
                returns: [.init("fd", .unixFD), .init("mtu", .uint16)]),
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
}
#endif
