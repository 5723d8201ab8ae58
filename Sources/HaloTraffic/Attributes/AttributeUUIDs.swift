import HaloProtocol

/// The types of the attributes that a server's structure is made of.
enum AttributeUUIDs {
    static let primaryService = BluetoothUUID(0x2800)
    static let secondaryService = BluetoothUUID(0x2801)
    static let include = BluetoothUUID(0x2802)
    static let characteristic = BluetoothUUID(0x2803)
    static let clientConfiguration = BluetoothUUID(0x2902)
    static let serviceChanged = BluetoothUUID(0x2A05)
}
