public import HaloProtocol

/// A builder of a device's services, which numbers the attributes and stores constant values.
///
/// Attributes are numbered from 1 in the order of adding: two devices with the same description
/// have the same numbers.
public struct GATTDatabase: Hashable, Sendable {
    /// The services, in the order in which they were added.
    public private(set) var services: [GATTService] = []
    private var values: [AttributeID: [UInt8]] = [:]
    private var properties: [AttributeID: GATTProperties] = [:]
    private var lastNumber: UInt32 = 0

    /// Creates a database without services.
    public init() {}

    /// Adds a service. A function adds its characteristics; its result, such as the numbers of the
    /// characteristics, is returned.
    public mutating func add<Attributes>(
        _ service: BluetoothUUID, isPrimary: Bool = true,
        _ describe: (inout GATTServiceBuilder) -> Attributes
    ) -> Attributes {
        // The builder has the content meanwhile: nothing is copied.
        var builder = GATTServiceBuilder(database: self)
        self = GATTDatabase()
        defer {
            swap(&self, &builder.database)
            services.append(
                GATTService(
                    service, isPrimary: isPrimary, characteristics: builder.characteristics))
        }
        return describe(&builder)
    }

    mutating func add(_ properties: GATTProperties, _ value: [UInt8]?) -> AttributeID {
        lastNumber &+= 1
        let id = AttributeID(lastNumber)
        self.properties[id] = properties
        values[id] = value
        return id
    }

    /// Returns the constant value of an attribute; `nil` if it has none.
    public func value(of attribute: AttributeID) -> [UInt8]? { values[attribute] }

    /// Returns the error with which reading an attribute is refused; `nil` if it can be read.
    public func refusalToRead(_ attribute: AttributeID) -> ATTError? {
        guard let properties = properties[attribute] else { return .invalidHandle }
        return properties.contains(.read) ? nil : .readNotPermitted
    }

    /// Returns the error with which writing an attribute in a mode is refused; `nil` if it can be
    /// written.
    public func refusalToWrite(_ attribute: AttributeID, _ mode: WriteMode) -> ATTError? {
        guard let properties = properties[attribute] else { return .invalidHandle }
        return properties.contains(mode.property) ? nil : .writeNotPermitted
    }

    /// Returns the characteristic with a value attribute; `nil` for a descriptor.
    public func characteristic(_ attribute: AttributeID) -> GATTCharacteristic? {
        for service in services {
            for characteristic in service.characteristics where characteristic.id == attribute {
                return characteristic
            }
        }
        return nil
    }
}

extension GATTDatabase {
    /// Adds the Heart Rate service of a strap, and returns the attribute of its measurements.
    ///
    /// - Parameters:
    ///   - location: The body sensor location; `nil` for a strap without this characteristic.
    ///   - countsEnergy: `true` for a strap that counts energy: its control point resets the count.
    package mutating func addHeartRateService(
        location: BodySensorLocation.Location?, countsEnergy: Bool
    ) -> AttributeID {
        add(StandardServices.heartRate) { service in
            let measurement = service.add(CharacteristicCatalog.heartRateMeasurement.uuid, .notify)
            if let location {
                service.add(
                    CharacteristicCatalog.bodySensorLocation.uuid, .read,
                    value: BodySensorLocation(location).bytes)
            }
            if countsEnergy {
                service.add(CharacteristicCatalog.heartRateControlPoint.uuid, .write)
            }
            return measurement
        }
    }
}
