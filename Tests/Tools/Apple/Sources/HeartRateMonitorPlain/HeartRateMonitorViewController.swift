import CoreBluetooth
import Foundation
import UIKit

/// A heart-rate monitor in sixteen steps: it shows the body sensor location and three heart rates
/// of the first strap that it finds, disconnects, and scans again.
@MainActor
final class HeartRateMonitorViewController: UIViewController {
    private static let heartRateService = CBUUID(string: "180D")
    private static let measurement = CBUUID(string: "2A37")
    private static let location = CBUUID(string: "2A38")
    private static let wantedValues = 3

    private let statusLabel = UILabel()
    private let locationLabel = UILabel()
    private let heartRateLabel = UILabel()

    private var centralManager: CBCentralManager?
    private var strap: CBPeripheral?
    private var measurementCharacteristic: CBCharacteristic?
    private var valueCount = 0
    /// Called after the second scan has found the strap.
    var onEnd: () -> Void = {}

    // Step 1: create the manager, which calls its delegate on the main queue.
    override func viewDidLoad() {
        super.viewDidLoad()
        centralManager = CBCentralManager(delegate: self, queue: nil)
    }

    private func show(_ text: String, in label: UILabel) {
        label.text = text
        print(text)
    }

    private func showEnd(_ text: String) {
        centralManager?.stopScan()
        strap = nil
        show(text, in: statusLabel)
        onEnd()
    }
}

extension HeartRateMonitorViewController: @MainActor CBCentralManagerDelegate {
    // Step 2: wait until Bluetooth is on.
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: scan()
        case .unauthorized: showEnd("Bluetooth is not allowed.")
        case .unsupported: showEnd("There is no Bluetooth.")
        default: strap = nil
        }
    }

    // Step 3: scan for heart-rate straps.
    private func scan() {
        centralManager?.scanForPeripherals(withServices: [Self.heartRateService])
    }

    // Step 4: hold the strap, or it is gone before it is connected.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard strap == nil else { return }
        if valueCount == Self.wantedValues { return showEnd("found again") }
        strap = peripheral
        peripheral.delegate = self
        // Step 5: stop the scan.
        central.stopScan()
        // Step 6: connect.
        central.connect(peripheral)
    }

    // Step 7: discover the service.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([Self.heartRateService])
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        strap = nil
        scan()
    }

    // Step 15: the strap is disconnected.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        show("disconnected", in: statusLabel)
        strap = nil
        measurementCharacteristic = nil
        // Step 16: scan again.
        scan()
    }
}

extension HeartRateMonitorViewController: @MainActor CBPeripheralDelegate {
    // Step 8: discover its characteristics.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] where service.uuid == Self.heartRateService {
            peripheral.discoverCharacteristics([Self.measurement, Self.location], for: service)
        }
    }

    // Step 9: find the two characteristics.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            switch characteristic.uuid {
            case Self.location:
                // Step 10: read the location.
                peripheral.readValue(for: characteristic)
            case Self.measurement:
                // Step 11: subscribe to the measurements, after the location.
                measurementCharacteristic = characteristic
            default:
                break
            }
        }
    }

    // Step 12: receive a value, which has to be copied at once.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let bytes = [UInt8](characteristic.value ?? Data())
        switch characteristic.uuid {
        case Self.location:
            show(Self.location(bytes), in: locationLabel)
            if let measurementCharacteristic {
                peripheral.setNotifyValue(true, for: measurementCharacteristic)
            }
        case Self.measurement:
            guard let beats = Self.beatsPerMinute(bytes), valueCount < Self.wantedValues else {
                return
            }
            valueCount += 1
            show("\(beats) bpm", in: heartRateLabel)
            if valueCount == Self.wantedValues {
                centralManager?.cancelPeripheralConnection(peripheral)
            }
        default:
            break
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { showEnd("Subscribing failed: \(error.localizedDescription)") }
    }

    // Step 13: decode the heart rate; bit 0 of the flags is its width.
    private static func beatsPerMinute(_ bytes: [UInt8]) -> UInt16? {
        guard let flags = bytes.first else { return nil }
        if flags & 1 == 0 {
            return bytes.count >= 2 ? UInt16(bytes[1]) : nil
        }
        return bytes.count >= 3 ? UInt16(bytes[1]) | UInt16(bytes[2]) << 8 : nil
    }

    // Step 14: decode the location.
    private static func location(_ bytes: [UInt8]) -> String {
        let names = ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"]
        guard let number = bytes.first, Int(number) < names.count else { return "unknown" }
        return names[Int(number)]
    }
}
