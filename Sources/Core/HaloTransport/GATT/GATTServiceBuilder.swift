public import HaloProtocol

/// A builder of a service of a ``GATTDatabase``.
public struct GATTServiceBuilder {
    var database: GATTDatabase
    private(set) var characteristics: [GATTCharacteristic] = []

    init(database: GATTDatabase) { self.database = database }

    /// Adds a characteristic, with a constant value if there is one, and with descriptors that can
    /// be read and have constant values.
    @discardableResult
    public mutating func add(
        _ uuid: BluetoothUUID, _ properties: GATTProperties, permissions: GATTPermissions = [],
        value: [UInt8]? = nil, descriptors: [(uuid: BluetoothUUID, value: [UInt8])] = []
    ) -> AttributeID {
        let id = database.add(properties, value)
        let described = descriptors.map { descriptor in
            GATTDescriptor(database.add(.read, descriptor.value), descriptor.uuid)
        }
        characteristics.append(
            GATTCharacteristic(
                id, uuid, properties, permissions: permissions, descriptors: described))
        return id
    }
}
