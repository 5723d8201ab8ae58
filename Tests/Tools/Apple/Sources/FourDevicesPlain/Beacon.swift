import CoreBluetooth
import Foundation

/// A scan for a beacon, which prints its name.
@MainActor
final class BeaconScan: NSObject {
    private static let service = CBUUID(string: "C0DE0001-1C2B-4B43-9D2E-7A5B0E4F2A10")
    private var manager: CBCentralManager?
    private let onFind: () -> Void

    init(onFind: @escaping () -> Void) {
        self.onFind = onFind
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }
}

extension BeaconScan: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [Self.service])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard central.isScanning, let name = peripheral.name else { return }
        central.stopScan()
        print("beacon: \(name)")
        onFind()
    }
}
