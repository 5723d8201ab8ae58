package import HaloProtocol

/// The UUIDs of attributes that the Core Specification defines: volume 3, part G.
package enum AttributeUUIDs {
    package static let primaryService = BluetoothUUID(0x2800)
    package static let secondaryService = BluetoothUUID(0x2801)
    package static let include = BluetoothUUID(0x2802)
    package static let characteristic = BluetoothUUID(0x2803)
    /// The descriptor that switches notifications and indications.
    package static let clientConfiguration = BluetoothUUID(0x2902)
    /// The characteristic that indicates a change of the services.
    package static let serviceChanged = BluetoothUUID(0x2A05)

    package static func isDescriptor(_ uuid: BluetoothUUID) -> Bool {
        uuid.short16.map { (0x2900...0x29FF).contains($0) } ?? false
    }
}
