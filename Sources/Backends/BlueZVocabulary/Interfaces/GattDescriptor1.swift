#if os(Linux)
package import HaloDBus

/// `org.bluez.GattDescriptor1`: a descriptor, of a device or of a program that hosts one.
package enum GattDescriptor1 {
    package static let interfaceName = "org.bluez.GattDescriptor1"

    package static let readValue = GattCharacteristic1.readValue
    package static let writeValue = GattCharacteristic1.writeValue
    package static let uuid = "UUID"
    package static let characteristic = "Characteristic"
    package static let value = "Value"
    /// Of a hosted descriptor only: the permitted operations, as ``AttributeFlags``.
    package static let flags = "Flags"

    package static let interface = DBusInterface(
        interfaceName,
        methods: [.readValue, .writeValue],
        properties: [
            .init(uuid, .string),
            .init(characteristic, .objectPath),
            .init(value, .array(.byte)),
        ])

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
