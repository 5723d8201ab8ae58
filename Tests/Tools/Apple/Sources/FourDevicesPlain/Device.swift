import CoreBluetooth
import Foundation

/// A device of one service: found by a scan, connected, its values subscribed to.
@MainActor
class Device: NSObject {
    private let services: [CBUUID]
    private let requests: CBUUID?
    private let values: CBUUID
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var remaining = 0
    private var requestCharacteristic: CBCharacteristic?
    private var valueCharacteristic: CBCharacteristic?

    /// Called after the end of the connection.
    var onEnd: () -> Void = {}

    /// Called when values are subscribed to.
    func ready() {}

    /// Called with each value.
    func receive(_ value: [UInt8]) {}

    /// Scans for the first of the services; the characteristics may be in any of them.
    init(services: [String], requests: String? = nil, values: String) {
        self.services = services.map { CBUUID(string: $0) }
        self.requests = requests.map { CBUUID(string: $0) }
        self.values = CBUUID(string: values)
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func send(_ bytes: [UInt8]) {
        guard let peripheral, let requestCharacteristic else { return }
        peripheral.writeValue(Data(bytes), for: requestCharacteristic, type: .withoutResponse)
    }

    func disconnect() {
        if let peripheral { manager?.cancelPeripheralConnection(peripheral) }
    }
}

extension Device: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: central.scanForPeripherals(withServices: [services[0]])
        case .unauthorized: print("Bluetooth is not allowed.")
        case .unsupported: print("There is no Bluetooth.")
        default: peripheral = nil
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral  // or the system drops it
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(services)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        print("Connecting failed:", error?.localizedDescription ?? "no reason")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        print("disconnected")
        self.peripheral = nil
        onEnd()
    }
}

extension Device: @MainActor CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let found = peripheral.services ?? []
        remaining = found.count
        for service in found {
            let wanted = [requests, values].compactMap { $0 }
            peripheral.discoverCharacteristics(wanted, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.uuid == requests { requestCharacteristic = characteristic }
            if characteristic.uuid == values { valueCharacteristic = characteristic }
        }
        remaining -= 1
        guard remaining == 0, let valueCharacteristic else { return }
        peripheral.setNotifyValue(true, for: valueCharacteristic)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return print("Subscribing failed:", error.localizedDescription) }
        ready()
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard error == nil, let value = characteristic.value else { return }
        receive(Array(value))
    }
}
