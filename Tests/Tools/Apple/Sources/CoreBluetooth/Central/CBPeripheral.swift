public import Foundation
internal import HaloProtocol
internal import HaloTransport

/// A device, as one manager sees it.
///
/// The manager does not keep it: an app that drops it while it connects or is connected loses the
/// link. Its contents change on the manager's queue, right before the delegate is told.
public class CBPeripheral: CBPeer {
    /// What changes with each link.
    struct Current {
        var name: String?
        var connection = CBPeripheralState.disconnected
        /// The number of the last attempt: events of earlier ones are ignored.
        var attempt: UInt64 = 0
        /// `false` once the system's Bluetooth service was restarted.
        var isValid = true
        /// The room for writes without response.
        var credits = CBPeripheral.maximumCredits
        /// `true` once a write without response has used the last room.
        var isStarved = false
        /// `true` once a value was written without response.
        var hasWritten = false
        var hasChangedServices = false
        /// The room of one packet in bytes.
        var packetLength = CBPeripheral.smallestPacket
        var hasServices = false
    }

    /// The maximum number of writes without response that wait; further ones are dropped.
    static let maximumCredits = 20
    /// The room of one packet before the MTU is exchanged.
    static let smallestPacket = 20
    /// The maximum length of a value.
    static let maximumValue = 512

    let system: PhoneSystem
    /// The number of the manager; `nil` for one that belongs to none.
    let manager: UInt64?
    let current: Guarded<Current>
    /// The discovered services with what the device has said of them.
    var found: [(description: GATTService, service: CBService)] = []
    var characteristics: [AttributeID: CBCharacteristic] = [:]
    var descriptors: [AttributeID: CBDescriptor] = [:]

    /// The delegate, which is not kept.
    public weak var delegate: (any CBPeripheralDelegate)?
    /// The discovered services; `nil` before a discovery and after the end of the link.
    public internal(set) var services: [CBService]?

    init(_ identifier: UUID, name: String?, manager: UInt64?, system: PhoneSystem) {
        self.system = system
        self.manager = manager
        current = Guarded(Current(name: name))
        super.init(identifier)
        system.shared.withLock { $0.peripherals += 1 }
    }

    deinit {
        system.shared.withLock { $0.peripherals -= 1 }
        let now = current.value
        guard let manager, now.isValid, let misuse = misuse(now.connection) else { return }
        system.drop(
            PeripheralReference(manager: manager, identifier: identifier, attempt: now.attempt),
            misuse)
    }

    /// The log line for an object that the app drops too early.
    private func misuse(_ connection: CBPeripheralState) -> String? {
        switch connection {
        case .connecting:
            "API MISUSE: Cancelling connection for unused peripheral \(logName), Did you forget to"
                + " keep a reference to it?"
        case .connected:
            "API MISUSE: Forcing disconnection of unused peripheral \(logName). Did you forget to"
                + " cancel the connection?"
        case .disconnected, .disconnecting: nil
        }
    }

    /// The name: that of the GAP service once known, otherwise the advertised one.
    public var name: String? { current.value.name }

    /// The connection state.
    public var state: CBPeripheralState { current.value.connection }

    /// `true` while there is room for a write without response.
    public var canSendWriteWithoutResponse: Bool {
        let traps = system.traps
        let now = current.value
        guard now.isValid, now.connection == .connected else { return false }
        if traps.contains(.readyFirstFalse), !now.hasWritten { return false }
        if traps.contains(.readyStuckFalse), now.hasWritten { return false }
        guard now.credits == 0 else { return true }
        if traps.contains(.readyBeforeFalseReturns), now.isStarved {
            current.withLock { $0.isStarved = false }
            tell { $0.peripheralIsReady(toSendWriteWithoutResponse: $1) }
        }
        return false
    }

    /// Returns the maximum number of bytes of one write.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        let now = current.value
        guard type == .withoutResponse else { return Self.maximumValue }
        let traps = system.traps
        let isSmall =
            traps.contains(.smallMTU) || traps.contains(.lateMTU) && !now.hasServices
            || traps.contains(.lengthGrowsWithWriting) && !now.hasWritten
        return isSmall || now.connection != .connected ? Self.smallestPacket : now.packetLength
    }

    /// Reads the signal strength.
    public func readRSSI() { submit(.rssi) }

    /// Discovers services; `nil` or an empty list for all.
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        guard accepts() else { return }
        guard delegate != nil else {
            return system.log(
                "API MISUSE: Discovering services for peripheral \(logName) while delegate is"
                    + " either nil or does not implement peripheral:didDiscoverServices:")
        }
        submit(.services(serviceUUIDs?.map(\.bluetooth) ?? []))
    }

    /// Discovers included services. No device of the stand-in has any.
    public func discoverIncludedServices(
        _ includedServiceUUIDs: [CBUUID]?, for service: CBService
    ) {
        guard let description = description(of: service) else { return }
        submit(.includedServices(description))
    }

    /// Discovers the characteristics of a service; `nil` or an empty list for all.
    public func discoverCharacteristics(
        _ characteristicUUIDs: [CBUUID]?, for service: CBService
    ) {
        guard let description = description(of: service) else { return }
        submit(.characteristics(description, characteristicUUIDs?.map(\.bluetooth) ?? []))
    }

    /// Discovers the descriptors of a characteristic.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        guard isCurrent(characteristic) else { return }
        submit(.descriptors(characteristic.attribute))
    }

    /// Reads a characteristic.
    public func readValue(for characteristic: CBCharacteristic) {
        guard isCurrent(characteristic) else { return }
        let isAllowed = characteristic.properties.contains(.read)
        submit(
            .read(characteristic.attribute),
            refusal: isAllowed ? nil : CBATTError(.readNotPermitted))
    }

    /// Writes a characteristic.
    public func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) {
        guard isCurrent(characteristic) else { return }
        let value = [UInt8](data)
        guard type == .withResponse else { return writeWithoutResponse(value, characteristic) }
        var refusal: CBATTError?
        if !characteristic.properties.contains(.write) {
            refusal = CBATTError(.writeNotPermitted)
        } else if value.count > Self.maximumValue {
            refusal = CBATTError(.invalidAttributeValueLength)
        }
        submit(.write(characteristic.attribute, value), refusal: refusal)
    }

    private func writeWithoutResponse(_ value: [UInt8], _ characteristic: CBCharacteristic) {
        guard accepts() else { return }
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return system.log(
                "WARNING: Characteristic <CBCharacteristic: \(address(of: characteristic)), UUID ="
                    + " \(characteristic.uuid)> does not specify the \"Write Without Response\""
                    + " property - ignoring response-less write")
        }
        let hasRoom = current.withLock { now in
            guard now.credits > 0 else { return false }
            now.credits -= 1
            now.hasWritten = true
            if now.credits == 0 { now.isStarved = true }
            return true
        }
        guard hasRoom, value.count <= maximumWriteValueLength(for: .withoutResponse) else {
            if hasRoom { returnCredit() }
            return
        }
        submit(.command(characteristic.attribute, value))
    }

    /// Switches notifications or indications on or off.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        guard isCurrent(characteristic) else { return }
        let canSubscribe = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
        submit(
            .notify(characteristic.attribute, enabled),
            refusal: canSubscribe ? nil : CBATTError(.requestNotSupported))
    }

    /// Reads a descriptor.
    public func readValue(for descriptor: CBDescriptor) {
        guard let characteristic = descriptor.characteristic, isCurrent(characteristic) else {
            return
        }
        guard let attribute = descriptor.attribute else {
            return submit(.readConfiguration(characteristic.attribute))
        }
        submit(.readDescriptor(attribute))
    }

    /// Writes a descriptor. Notifications are switched by ``setNotifyValue(_:for:)``: writing their
    /// descriptor is fatal.
    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        guard let characteristic = descriptor.characteristic, isCurrent(characteristic) else {
            return
        }
        guard descriptor.uuid != CBUUID(string: CBUUIDClientCharacteristicConfigurationString)
        else {
            return system.shared.value.fatal(
                "The client configuration is switched by setNotifyValue only")
        }
        guard let attribute = descriptor.attribute else { return }
        submit(.writeDescriptor(attribute, [UInt8](data)))
    }

    // MARK: Checks

    /// The object as logs show it.
    var logName: String {
        let now = current.value
        return "<CBPeripheral: \(address(of: self)), identifier = \(identifier.uuidString), name ="
            + " \(now.name ?? "(null)"), mtu = \(now.packetLength + 3), state ="
            + " \(now.connection)>"
    }

    /// Returns `true` if the peripheral is connected, and logs a misuse otherwise.
    private func accepts() -> Bool {
        let now = current.value
        if now.isValid, now.connection == .connected { return true }
        system.log(
            "API MISUSE: \(logName) can only accept commands while in the connected state")
        return false
    }

    /// Returns `true` for a characteristic of this link; others are ignored.
    private func isCurrent(_ characteristic: CBCharacteristic) -> Bool {
        guard accepts() else { return false }
        return characteristics[characteristic.attribute] === characteristic
    }

    private func description(of service: CBService) -> GATTService? {
        guard accepts() else { return nil }
        return found.first { $0.service === service }?.description
    }

    private func submit(_ operation: PeripheralOperation, refusal: CBATTError? = nil) {
        guard let manager, accepts() else { return }
        let reference = PeripheralReference(
            manager: manager, identifier: identifier, attempt: current.value.attempt)
        system.perform(operation, for: reference, refusal: refusal)
    }
}

/// A link of one manager, by numbers.
struct PeripheralReference: Hashable, Sendable {
    let manager: UInt64
    let identifier: UUID
    let attempt: UInt64
}

/// An operation on a link.
enum PeripheralOperation: Sendable {
    case rssi
    case services([BluetoothUUID])
    case includedServices(GATTService)
    case characteristics(GATTService, [BluetoothUUID])
    case descriptors(AttributeID)
    case read(AttributeID)
    case write(AttributeID, [UInt8])
    case command(AttributeID, [UInt8])
    case notify(AttributeID, Bool)
    case readDescriptor(AttributeID)
    case readConfiguration(AttributeID)
    case writeDescriptor(AttributeID, [UInt8])
}
