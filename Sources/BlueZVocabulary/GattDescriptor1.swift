#if os(Linux)
package import HaloDBus

/// `org.bluez.GattDescriptor1`. A descriptor of a characteristic.
package enum GattDescriptor1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattDescriptor1"

    /// Reads it.
    package static let readValue = "ReadValue"
    /// Writes it.
    package static let writeValue = "WriteValue"
    /// Which one.
    package static let uuid = "UUID"
    /// Of what.
    package static let characteristic = "Characteristic"
    /// Its last known value.
    package static let value = "Value"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .readValue,
            .writeValue,
        ],
        properties: [
            .init(uuid, .string),
            .init(characteristic, .objectPath),
            .init(value, .array(.byte)),
        ])
}
#endif
