import BlueZVocabulary
import HaloDBus

/// The daemon's objects.
enum HostingWords {
    /// Interfaces with their properties.
    static func interfaces(_ all: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            key: .string, value: .options,
            all.sorted { $0.key < $1.key }.map {
                DBusEntry(.string($0.key), .properties($0.value))
            })
    }

    /// One adapter, which is on and can be a device.
    static let adapter: DBusValue = .dictionary(
        key: .objectPath, value: .dictionary(key: .string, value: .options),
        [
            DBusEntry(
                .objectPath(HostingDaemon.adapter),
                interfaces([
                    Adapter1.interfaceName: [
                        Adapter1.powered: .boolean(true), Adapter1.alias: .string("computer"),
                        Adapter1.address: .string("00:AA:01:01:00:01"),
                    ], GattManager1.interfaceName: [:], LEAdvertisingManager1.interfaceName: [:],
                ]))
        ])
}
