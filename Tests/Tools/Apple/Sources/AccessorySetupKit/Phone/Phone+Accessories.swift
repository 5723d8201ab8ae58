public import CoreBluetooth
import Foundation
import HaloProtocol
import HaloTransport

extension Phone {
    private struct Entry {
        weak var phone: Phone?
        let accessories: PhoneAccessories
    }

    private static let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    /// The accessories of this phone, its settings for them, and the person who holds it.
    public var accessories: PhoneAccessories {
        Self.entries.withLock { entries in
            if let entry = entries[ObjectIdentifier(self)], entry.phone != nil {
                return entry.accessories
            }
            entries = entries.filter { $0.value.phone != nil }
            let accessories = PhoneAccessories(self)
            entries[ObjectIdentifier(self)] = Entry(phone: self, accessories: accessories)
            return accessories
        }
    }
}

extension Phone: AccessoryHost {
    var hasCentralManager: Bool { centralCount > 0 }

    func startPicking(_ report: @escaping @Sendable (Sighting) -> Void) -> @Sendable () -> Void {
        guard let radio else { return {} }
        let filter = ScanFilter(reportsDuplicates: true)
        let scan = radio.startScan(filter) { [weak self] result in
            guard let self, case .success(let discovery) = result else { return }
            report(Sighting(discovery, identifier: identifier(of: discovery.identity)))
        }
        return { scan.cancel() }
    }

    func remember(_ sighting: Sighting) {
        meet(PeripheralIdentity(sighting.identity), name: sighting.name)
    }

    func after(
        seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard let time = radio?.time else {
            let item = DispatchWorkItem(block: action)
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: item)
            let box = Guarded(item)
            return { box.copy.cancel() }
        }
        let timer = time.schedule(at: time.now() + .seconds(seconds), action)
        return { timer.cancel() }
    }

    func restrict(to identifiers: [UUID]?) { setGranted(identifiers.map(Set.init)) }

    func crash(_ reason: String) { fatal(reason) }
}

extension Sighting {
    /// Converts a discovery of the radio.
    init(_ discovery: Discovery, identifier: UUID) {
        self.init(
            identifier: identifier, identity: discovery.identity.rawValue, name: discovery.name,
            rssi: discovery.rssi)
        services = discovery.services.map(Self.uuid)
        for data in discovery.manufacturerData { manufacturerData[data.company] = Data(data.bytes) }
        for structure in discovery.advertisement?.structures ?? [] {
            switch structure.content {
            case .shortServiceData(let service, let bytes):
                serviceData[Self.uuid(BluetoothUUID(UInt32(service)))] = Data(bytes)
            case .mediumServiceData(let service, let bytes):
                serviceData[Self.uuid(BluetoothUUID(service))] = Data(bytes)
            case .longServiceData(let service, let bytes):
                serviceData[Self.uuid(service)] = Data(bytes)
            default: break
            }
        }
    }

    private static func uuid(_ uuid: BluetoothUUID) -> CBUUID {
        if let short = uuid.short16 {
            return CBUUID(data: Data([UInt8(short >> 8), UInt8(truncatingIfNeeded: short)]))
        }
        let bytes = [uuid.high, uuid.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        return CBUUID(data: Data(bytes))
    }
}
