import CoreBluetooth
import Foundation

/// A beacon: it advertises a name and the UUID of a service.
@MainActor
final class Beacon: NSObject {
    static let service = CBUUID(string: "C0DE0001-1C2B-4B43-9D2E-7A5B0E4F2A10")
    private static let name = "Halo"

    private var manager: CBPeripheralManager?
    private let onStart: () -> Void

    init(onStart: @escaping () -> Void) {
        self.onStart = onStart
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func stop() {
        manager?.stopAdvertising()
        manager = nil
    }
}

extension Beacon: @MainActor CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        switch peripheral.state {
        case .poweredOn:
            peripheral.startAdvertising([
                CBAdvertisementDataLocalNameKey: Self.name,
                CBAdvertisementDataServiceUUIDsKey: [Self.service],
            ])
        case .unauthorized:
            print("Bluetooth is not allowed.")
        case .unsupported:
            print("There is no Bluetooth.")
        default:
            break
        }
    }

    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        if let error {
            print("Advertising failed:", error.localizedDescription)
        } else {
            print("advertising")
            onStart()
        }
    }
}

/// An app that finds the beacon.
@MainActor
final class BeaconFinder: NSObject {
    private var manager: CBCentralManager?
    private let onFind: () -> Void

    init(onFind: @escaping () -> Void) {
        self.onFind = onFind
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }
}

extension BeaconFinder: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn:
            central.scanForPeripherals(withServices: [Beacon.service])
        case .unauthorized:
            print("Bluetooth is not allowed.")
        case .unsupported:
            print("There is no Bluetooth.")
        default:
            break
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        // The name may come with a later report.
        guard let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String,
            central.isScanning
        else { return }
        central.stopScan()
        print("found \(name)")
        onFind()
    }
}
