public import HaloProtocol

/// A service of a device.
public struct GATTService: Hashable, Sendable, Codable {
    /// The UUID that names the kind of service.
    public let uuid: BluetoothUUID
    /// `true` for a primary service; `false` for a service that other services include.
    public let isPrimary: Bool
    /// The characteristics, in the order of the device.
    public let characteristics: [GATTCharacteristic]

    /// Creates a service with its characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [GATTCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }

    /// Finds the first characteristic with a UUID.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

extension BluetoothUUID: Codable {
    /// Decodes text such as `2A37` or `6E400002-B5A3-F393-E0A9-E50E24DCCA9E`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(TextError) {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    /// Encodes the shortest text: 4, 8 or 36 characters.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
