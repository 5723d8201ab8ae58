internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// A manager of the central role, as the system knows it.
final class CentralRecord {
    let number: UInt64
    let restoreIdentifier: String?
    private let queue: DispatchQueue
    private let manager: Weak<CBCentralManager>
    let isTerminated: Guarded<Bool>
    /// The scan, with what it has reported.
    var scan: CentralScan?
    var reported: [UUID: ReportedDevice] = [:]

    init(_ manager: CBCentralManager, restoreIdentifier: String?) {
        number = manager.number
        queue = manager.queue
        self.manager = Weak(manager)
        isTerminated = manager.isTerminated
        self.restoreIdentifier = restoreIdentifier
    }

    /// Runs a function on the manager's queue, if the manager still exists then.
    func post(_ body: @escaping @Sendable (CBCentralManager) -> Void) {
        queue.async { [manager, isTerminated] in
            guard !isTerminated.value, let manager = manager.object else { return }
            body(manager)
        }
    }

    /// Runs a function for a link on the manager's queue, if the app still has the object then.
    func post(
        _ reference: PeripheralReference, _ body: @escaping @Sendable (CBPeripheral) -> Void
    ) {
        post { manager in
            guard let peripheral = manager.peripheral(of: reference),
                peripheral.state == .connected
            else { return }
            body(peripheral)
        }
    }
}

/// A scan of one manager.
struct CentralScan: Hashable, Sendable {
    let number: UInt64
    /// The services of which one must be advertised; empty for no condition.
    let services: [BluetoothUUID]
    let reportsDuplicates: Bool
}

/// What a scan has reported of a device.
struct ReportedDevice {
    var hasName = false
    var services: Set<BluetoothUUID> = []
    var companies: Set<UInt16> = []
}

/// One report of a device.
struct Sighting: Sendable {
    /// The number of the scan.
    let scan: UInt64
    let identifier: UUID
    /// The name of the object, which may be older than the advertised one.
    let name: String?
    let advertisedName: String?
    let services: [BluetoothUUID]
    let manufacturerData: ManufacturerData?
    let serviceData: [(BluetoothUUID, [UInt8])]
    let transmitPower: Int?
    let isConnectable: Bool?
    let rssi: Int

    /// The advertisement as apps get it.
    var dictionary: [String: Any] {
        var all: [String: Any] = [:]
        all[CBAdvertisementDataLocalNameKey] = advertisedName
        if !services.isEmpty {
            all[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) }
        }
        if let data = manufacturerData {
            let company = [
                UInt8(truncatingIfNeeded: data.company),
                UInt8(truncatingIfNeeded: data.company >> 8),
            ]
            all[CBAdvertisementDataManufacturerDataKey] = Data(company + data.bytes)
        }
        if !serviceData.isEmpty {
            let pairs = serviceData.map { (CBUUID($0.0), Data($0.1)) }
            all[CBAdvertisementDataServiceDataKey] = Dictionary(pairs) { _, new in new }
        }
        all[CBAdvertisementDataTxPowerLevelKey] = transmitPower.map { NSNumber(value: $0) }
        all[CBAdvertisementDataIsConnectable] = isConnectable.map { NSNumber(value: $0) }
        return all
    }
}

/// What a terminated app leaves to the next manager with its restore identifier.
struct RestorableState: Sendable {
    struct Link: Sendable {
        let identifier: UUID
        let name: String?
        let attempt: UInt64
        let isConnected: Bool
        let packetLength: Int
        /// The services that the app had discovered.
        let table: [GATTService]
        /// The characteristics to which the app had subscribed.
        let notifying: [AttributeID]
    }

    let links: [Link]
    let scan: CentralScan?
}
