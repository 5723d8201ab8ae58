public import HaloProtocol

/// A service of a device.
public struct GATTService: Hashable, Sendable {
    /// Which service.
    public let uuid: BluetoothUUID
    /// Whether it stands by itself, and not only as a part of others.
    public let isPrimary: Bool
    /// Its characteristics, in the order of the device.
    public let characteristics: [GATTCharacteristic]

    /// A service of some characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [GATTCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }

    /// The first characteristic of a UUID.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}
