public import HaloProtocol

/// Describes a device: gives each attribute its number, and keeps the values that never change.
///
/// Numbers are given out in the order of adding, from 1 on, so that two devices described alike
/// have the same ones.
public struct GATTDatabase: Hashable, Sendable {
    /// The services, in the order in which they were added.
    public private(set) var services: [GATTService] = []
    private var values: [AttributeID: [UInt8]] = [:]
    private var properties: [AttributeID: GATTProperties] = [:]
    private var lastNumber: UInt32 = 0

    /// A device of no services.
    public init() {}

    /// Adds a service, described by a function that adds its characteristics; gives back what
    /// that function does, such as the numbers of characteristics.
    public mutating func add<Attributes>(
        _ service: BluetoothUUID, isPrimary: Bool = true,
        _ describe: (inout GATTServiceDraft) -> Attributes
    ) -> Attributes {
        var draft = GATTServiceDraft(lastNumber: lastNumber)
        let attributes = describe(&draft)
        lastNumber = draft.lastNumber
        services.append(
            GATTService(service, isPrimary: isPrimary, characteristics: draft.characteristics))
        values.merge(draft.values) { _, new in new }
        properties.merge(draft.properties) { _, new in new }
        return attributes
    }

    /// The value of an attribute that was given one.
    public func value(of attribute: AttributeID) -> [UInt8]? { values[attribute] }

    /// The error with which reading an attribute is refused; `nil` if it can be read.
    public func refusalToRead(_ attribute: AttributeID) -> ATTError? {
        guard let properties = properties[attribute] else { return .invalidHandle }
        return properties.contains(.read) ? nil : .readNotPermitted
    }

    /// The error with which writing an attribute in one way is refused; `nil` if it can be written.
    public func refusalToWrite(_ attribute: AttributeID, _ mode: WriteMode) -> ATTError? {
        guard let properties = properties[attribute] else { return .invalidHandle }
        return properties.contains(mode.property) ? nil : .writeNotPermitted
    }

    /// The characteristic whose value an attribute is; `nil` for a descriptor.
    public func characteristic(_ attribute: AttributeID) -> GATTCharacteristic? {
        for service in services {
            for characteristic in service.characteristics where characteristic.id == attribute {
                return characteristic
            }
        }
        return nil
    }
}

/// A service while a ``GATTDatabase`` describes it.
public struct GATTServiceDraft {
    private(set) var characteristics: [GATTCharacteristic] = []
    private(set) var values: [AttributeID: [UInt8]] = [:]
    private(set) var properties: [AttributeID: GATTProperties] = [:]
    private(set) var lastNumber: UInt32

    init(lastNumber: UInt32) {
        self.lastNumber = lastNumber
    }

    /// Adds a characteristic; a value that is given here never changes.
    ///
    /// Its descriptors can be read and say what they are given here.
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
