public import Foundation
internal import HaloTransport

/// An attribute of a device: a service, a characteristic or a descriptor.
public class CBAttribute: NSObject {
    /// The UUID of the attribute's type.
    public let uuid: CBUUID

    init(_ uuid: CBUUID) { self.uuid = uuid }
}

/// A service, discovered or hosted.
public class CBService: CBAttribute {
    /// The device; `nil` for a hosted service, and once the device is gone.
    public internal(set) weak var peripheral: CBPeripheral?
    /// `true` for a primary service.
    public let isPrimary: Bool
    var storedIncludedServices: [CBService]?
    var storedCharacteristics: [CBCharacteristic]?
    /// The position among the services of a discovery.
    var position = 0
    /// The discovery that found it; older ones are invalid.
    var generation = 0

    /// The included services that were discovered.
    public var includedServices: [CBService]? { storedIncludedServices }
    /// The characteristics that were discovered.
    public var characteristics: [CBCharacteristic]? { storedCharacteristics }

    init(_ uuid: CBUUID, isPrimary: Bool) {
        self.isPrimary = isPrimary
        super.init(uuid)
    }
}

/// A service to host.
public class CBMutableService: CBService {
    /// The included services.
    public override var includedServices: [CBService]? {
        get { storedIncludedServices }
        set { storedIncludedServices = newValue }
    }

    /// The characteristics.
    public override var characteristics: [CBCharacteristic]? {
        get { storedCharacteristics }
        set {
            storedCharacteristics = newValue
            for characteristic in newValue ?? [] { characteristic.service = self }
        }
    }

    /// `true` once it was added to a manager.
    var isAdded = false

    /// Creates a service without characteristics.
    public init(type UUID: CBUUID, primary isPrimary: Bool) {
        super.init(UUID, isPrimary: isPrimary)
    }
}

/// A characteristic, discovered or hosted.
public class CBCharacteristic: CBAttribute {
    /// The service; `nil` once it is gone.
    public internal(set) weak var service: CBService?
    var storedProperties: CBCharacteristicProperties
    var storedValue: Data?
    var storedDescriptors: [CBDescriptor]?
    /// `true` once the device has confirmed the subscription.
    public internal(set) var isNotifying = false
    /// The attribute on the device, or the number that the phone gave a hosted one.
    var attribute: AttributeID

    /// The operations that it allows.
    public var properties: CBCharacteristicProperties { storedProperties }
    /// The last value that was read or received: the next one replaces it.
    public var value: Data? { storedValue }
    /// The descriptors that were discovered.
    public var descriptors: [CBDescriptor]? { storedDescriptors }

    init(
        _ uuid: CBUUID, _ attribute: AttributeID, _ properties: CBCharacteristicProperties,
        _ value: Data? = nil
    ) {
        self.attribute = attribute
        storedProperties = properties
        storedValue = value
        super.init(uuid)
    }
}

/// A characteristic to host.
public class CBMutableCharacteristic: CBCharacteristic {
    /// The permissions of centrals.
    public var permissions: CBAttributePermissions
    /// The centrals that have subscribed.
    public internal(set) var subscribedCentrals: [CBCentral]? = []

    /// The operations that it allows.
    public override var properties: CBCharacteristicProperties {
        get { storedProperties }
        set { storedProperties = newValue }
    }

    /// The constant value; `nil` if the app answers reads.
    public override var value: Data? {
        get { storedValue }
        set { storedValue = newValue }
    }

    /// The descriptors.
    public override var descriptors: [CBDescriptor]? {
        get { storedDescriptors }
        set {
            storedDescriptors = newValue
            for descriptor in newValue ?? [] { descriptor.characteristic = self }
        }
    }

    /// A value that is not `nil` is constant: the system answers reads itself.
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
        permissions: CBAttributePermissions
    ) {
        self.permissions = permissions
        super.init(UUID, AttributeID(0), properties, value)
    }
}

/// A descriptor, discovered or hosted.
public class CBDescriptor: CBAttribute {
    /// The characteristic; `nil` once it is gone.
    public internal(set) weak var characteristic: CBCharacteristic?
    /// The last value that was read: text, a number or data, by the type of the descriptor.
    public internal(set) var value: Any?
    /// The attribute on the device; `nil` for the one that switches notifications.
    let attribute: AttributeID?

    init(_ uuid: CBUUID, _ attribute: AttributeID?, value: Any? = nil) {
        self.attribute = attribute
        self.value = value
        super.init(uuid)
    }
}

/// A descriptor to host: a user description or a presentation format.
public class CBMutableDescriptor: CBDescriptor {
    /// Creates a descriptor with a constant value.
    public init(type UUID: CBUUID, value: Any?) {
        super.init(UUID, nil, value: value)
    }
}

@available(*, unavailable)
extension CBAttribute: Sendable {}
