#if os(Linux)
package import HaloDBus

extension GattService1 {
    /// What a program's own object says that it is.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])
}

extension GattCharacteristic1 {
    /// The daemon says that a central has confirmed an indication.
    package static let confirm = "Confirm"

    /// What a program's own object says that it is. The daemon would ask for sockets if it had
    /// the properties ``writeAcquired`` and ``notifyAcquired``.
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

extension GattDescriptor1 {
    /// What can be done with it; of a program's own object only.
    package static let flags = "Flags"

    /// What a program's own object says that it is.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        methods: [
            .readValue,
            .writeValue,
        ],
        properties: [
            .init(uuid, .string),
            .init(characteristic, .objectPath),
            .init(flags, .array(.string)),
        ])
}
#endif
