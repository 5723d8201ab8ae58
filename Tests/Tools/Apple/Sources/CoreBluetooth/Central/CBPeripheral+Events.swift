internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// What the system announces. These functions run on the manager's queue.
extension CBPeripheral {
    /// Calls the delegate.
    func tell(_ call: (any CBPeripheralDelegate, CBPeripheral) -> Void) {
        guard let delegate else { return }
        let traps = system.traps
        if traps.contains(.callsBackForStranger) { call(delegate, stranger) }
        call(delegate, self)
        if traps.contains(.callsBackTwice) { call(delegate, self) }
    }

    /// A peripheral that no app knows.
    var stranger: CBPeripheral {
        CBPeripheral(UUID(), name: "stranger", manager: nil, system: system)
    }

    /// Returns the room of one write without response.
    func returnCredit() {
        let traps = system.traps
        let isReady = current.withLock { now in
            now.credits = min(now.credits + 1, Self.maximumCredits)
            guard now.isStarved else { return false }
            now.isStarved = false
            return true
        }
        guard isReady, !traps.contains(.readyWithoutCallback), !traps.contains(.readyStuckFalse)
        else { return }
        tell { $0.peripheralIsReady(toSendWriteWithoutResponse: $1) }
    }

    /// Forgets all attributes: at the beginning and at the end of a link.
    func forgetAttributes() {
        services = nil
        found = []
        characteristics = [:]
        descriptors = [:]
    }

    /// Announces the answer to an operation.
    func answer(_ operation: PeripheralOperation, _ result: PeripheralAnswer) {
        switch operation {
        case .rssi: answerRSSI(result)
        case .services(let filter): answerServices(filter, result)
        case .includedServices(let description):
            guard let service = service(description) else { return }
            service.storedIncludedServices = service.storedIncludedServices ?? []
            tell { $0.peripheral($1, didDiscoverIncludedServicesFor: service, error: result.error) }
        case .characteristics(let description, let filter):
            answerCharacteristics(description, filter, result)
        case .descriptors(let attribute): answerDescriptors(attribute, result)
        case .read(let attribute): received(attribute, result)
        case .write(let attribute, _), .command(let attribute, _):
            guard let characteristic = characteristics[attribute] else { return }
            tell { $0.peripheral($1, didWriteValueFor: characteristic, error: result.error) }
        case .notify(let attribute, let isOn):
            guard let characteristic = characteristics[attribute] else { return }
            if result.error == nil { characteristic.isNotifying = isOn }
            tell {
                $0.peripheral(
                    $1, didUpdateNotificationStateFor: characteristic, error: result.error)
            }
        case .readDescriptor(let attribute):
            guard let descriptor = descriptors[attribute] else { return }
            if case .value(let bytes) = result { descriptor.setValue(bytes) }
            tell { $0.peripheral($1, didUpdateValueFor: descriptor, error: result.error) }
        case .readConfiguration(let attribute): answerConfiguration(attribute, result)
        case .writeDescriptor(let attribute, _):
            guard let descriptor = descriptors[attribute] else { return }
            tell { $0.peripheral($1, didWriteValueFor: descriptor, error: result.error) }
        }
    }

    private func answerRSSI(_ result: PeripheralAnswer) {
        var strength = 127
        if case .rssi(let value) = result, !system.has(.unknownRSSI) { strength = value }
        tell {
            $0.peripheral($1, didReadRSSI: NSNumber(value: strength), error: result.error)
        }
    }

    private func answerConfiguration(_ attribute: AttributeID, _ result: PeripheralAnswer) {
        guard let characteristic = characteristics[attribute],
            let descriptor = characteristic.storedDescriptors?.first(where: { $0.attribute == nil })
        else { return }
        let bits = characteristic.properties.contains(.notify) ? 1 : 2
        descriptor.value = NSNumber(value: characteristic.isNotifying ? bits : 0)
        tell { $0.peripheral($1, didUpdateValueFor: descriptor, error: result.error) }
    }

    /// A read has its reply, or a value came unasked: an app cannot tell which.
    func received(_ attribute: AttributeID, _ result: PeripheralAnswer) {
        guard let characteristic = characteristics[attribute] else { return }
        if case .value(let bytes) = result { characteristic.storedValue = Data(bytes) }
        tell { $0.peripheral($1, didUpdateValueFor: characteristic, error: result.error) }
    }

    // MARK: Discovery

    private func service(_ description: GATTService) -> CBService? {
        found.first { $0.description == description }?.service
    }

    /// Calls the delegate with the answer to a discovery.
    private func tellFound(_ call: (any CBPeripheralDelegate, CBPeripheral) -> Void) {
        tell(call)
        if system.has(.discoveryAnswersTwice) { tell(call) }
    }

    private func answerServices(_ filter: [BluetoothUUID], _ result: PeripheralAnswer) {
        if case .services(let table) = result { fill(table, filter) }
        tellFound { $0.peripheral($1, didDiscoverServices: result.error) }
        guard system.has(.servicesChangeWhileDiscovered) else { return }
        let isFirst = current.withLock { now in
            defer { now.hasChangedServices = true }
            return !now.hasChangedServices
        }
        if isFirst { modified(found.dropLast().map(\.description)) }
    }

    private func answerCharacteristics(
        _ description: GATTService, _ filter: [BluetoothUUID], _ result: PeripheralAnswer
    ) {
        guard let service = service(description) else { return }
        if result.error == nil { fill(service, description, filter) }
        tellFound { $0.peripheral($1, didDiscoverCharacteristicsFor: service, error: result.error) }
    }

    /// Makes objects for services; those that exist stay.
    private func fill(_ table: [GATTService], _ filter: [BluetoothUUID]) {
        current.withLock { $0.hasServices = true }
        let known = found
        found = table.compactMap { description in
            if let old = known.first(where: { $0.description == description }) { return old }
            guard filter.isEmpty || filter.contains(description.uuid) else { return nil }
            let service = CBService(CBUUID(description.uuid), isPrimary: description.isPrimary)
            service.peripheral = self
            return (description, service)
        }
        services = found.map(\.service)
    }

    /// Makes objects for the characteristics of a service; those that exist stay.
    private func fill(
        _ service: CBService, _ description: GATTService, _ filter: [BluetoothUUID]
    ) {
        let known = service.storedCharacteristics ?? []
        service.storedCharacteristics = description.characteristics.compactMap { described in
            if let old = known.first(where: { $0.attribute == described.id }) { return old }
            guard filter.isEmpty || filter.contains(described.uuid) else { return nil }
            let characteristic = CBCharacteristic(
                CBUUID(described.uuid), described.id,
                CBCharacteristicProperties(rawValue: UInt(described.properties.rawValue)))
            characteristic.service = service
            characteristics[described.id] = characteristic
            return characteristic
        }
    }

    /// Makes the objects that a terminated app had: its services, and its subscriptions.
    func adopt(_ link: RestorableState.Link) {
        guard !link.table.isEmpty else { return }
        fill(link.table, [])
        for (description, service) in found { fill(service, description, []) }
        for attribute in link.notifying { characteristics[attribute]?.isNotifying = true }
    }

    private func answerDescriptors(_ attribute: AttributeID, _ result: PeripheralAnswer) {
        guard let characteristic = characteristics[attribute] else { return }
        if result.error == nil, characteristic.storedDescriptors == nil {
            let described = found.lazy.flatMap(\.description.characteristics)
                .first { $0.id == attribute }
            var list = (described?.descriptors ?? []).map {
                CBDescriptor(CBUUID($0.uuid), $0.id)
            }
            let configuration = CBUUID(string: CBUUIDClientCharacteristicConfigurationString)
            let canSubscribe = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
            if canSubscribe, !list.contains(where: { $0.uuid == configuration }) {
                list.insert(CBDescriptor(configuration, nil), at: 0)
            }
            for descriptor in list {
                descriptor.characteristic = characteristic
                if let id = descriptor.attribute { descriptors[id] = descriptor }
            }
            characteristic.storedDescriptors = list
        }
        tellFound {
            $0.peripheral($1, didDiscoverDescriptorsFor: characteristic, error: result.error)
        }
    }

    /// The device's services have become others: those that it no longer has are invalid.
    func modified(_ table: [GATTService]) {
        let invalid = found.filter { !table.contains($0.description) }
        found.removeAll { !table.contains($0.description) }
        for (description, _) in invalid {
            for characteristic in description.characteristics {
                characteristics[characteristic.id] = nil
                for descriptor in characteristic.descriptors { descriptors[descriptor.id] = nil }
            }
        }
        if services != nil { services = found.map(\.service) }
        if system.has(.emptiesInvalidServices) {
            for (_, service) in invalid { service.storedCharacteristics = [] }
        }
        tell { $0.peripheral($1, didModifyServices: invalid.map(\.service)) }
    }
}

/// The answer of a device to an operation.
enum PeripheralAnswer: Sendable {
    case done
    case rssi(Int)
    case services([GATTService])
    case value([UInt8])
    case failed(any Error)

    var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension CBDescriptor {
    /// Stores what was read, in the type that the UUID demands.
    func setValue(_ bytes: [UInt8]) {
        switch uuid.bluetooth.short16 {
        case 0x2901: value = String(decoding: bytes, as: UTF8.self)
        case 0x2900, 0x2902, 0x2903:
            let number = bytes.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
            value = NSNumber(value: number)
        default: value = Data(bytes)
        }
    }
}
