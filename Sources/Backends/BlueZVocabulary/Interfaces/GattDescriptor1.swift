#if os(Linux)
package import HaloDBus

/// `org.bluez.GattDescriptor1`: a descriptor, of a device or of a program that hosts one.
package enum GattDescriptor1 {
    package static let interfaceName = "org.bluez.GattDescriptor1"

    package static let readValue = GattCharacteristic1.readValue
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
#endif
