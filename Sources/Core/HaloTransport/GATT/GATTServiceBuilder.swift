public import HaloProtocol

/// A builder of a service of a ``GATTDatabase``.
public struct GATTServiceBuilder {
    private(set) var characteristics: [GATTCharacteristic] = []
    private(set) var values: [AttributeID: [UInt8]] = [:]
    private(set) var properties: [AttributeID: GATTProperties] = [:]
    private(set) var lastNumber: UInt32

    init(lastNumber: UInt32) {
        self.lastNumber = lastNumber
    }

    /// Adds a characteristic, with a constant value if there is one, and with descriptors that can
    /// be read and have constant values.
    @discardableResult
    public mutating func add(
        _ uuid: BluetoothUUID, _ properties: GATTProperties, permissions: GATTPermissions = [],
        value: [UInt8]? = nil, descriptors: [(uuid: BluetoothUUID, value: [UInt8])] = []
    ) -> AttributeID {
        let id = nextAttribute(properties, value)
        let described = descriptors.map { descriptor in
            GATTDescriptor(nextAttribute(.read, descriptor.value), descriptor.uuid)
        }
        characteristics.append(
            GATTCharacteristic(
                id, uuid, properties, permissions: permissions, descriptors: described))
        return id
    }

    private mutating func nextAttribute(
        _ properties: GATTProperties, _ value: [UInt8]?
    ) -> AttributeID {
        lastNumber &+= 1
        let id = AttributeID(lastNumber)
        self.properties[id] = properties
        values[id] = value
        return id
    }
}
