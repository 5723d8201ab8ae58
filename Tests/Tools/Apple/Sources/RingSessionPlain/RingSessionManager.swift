import AccessorySetupKit
import CoreBluetooth
import Foundation
import UIKit

/// Adds a COLMI ring with the system's picker, connects, prints its battery level and three live
/// heart rates, and removes it.
@MainActor
final class RingSessionManager: NSObject {
    private static let service = CBUUID(string: "6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let requests = CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let replies = CBUUID(string: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let wantedValues = 3

    private let session = ASAccessorySession()
    private var accessory: ASAccessory?
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var requestCharacteristic: CBCharacteristic?
    private var valueCount = 0
    private var isRemoving = false
    private let onEnd: () -> Void

    init(onEnd: @escaping () -> Void) {
        self.onEnd = onEnd
        super.init()
        session.activate(on: .main) { [weak self] event in
            self?.handle(event)
        }
    }

    // MARK: The accessory

    private func handle(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .activated:
            if let known = session.accessories.first {
                accessory = known
                createManager()
            } else {
                presentPicker()
            }
        case .accessoryAdded:
            accessory = event.accessory
        case .pickerDidDismiss:
            guard accessory != nil else { return finish("No ring was chosen.") }
            createManager()
        case .accessoryRemoved:
            finish("removed")
        default:
            break
        }
    }

    private func presentPicker() {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = Self.service
        let item = ASPickerDisplayItem(
            name: "COLMI ring", productImage: UIImage(), descriptor: descriptor)
        session.showPicker(for: [item]) { error in
            if let error { print("The picker failed:", error.localizedDescription) }
        }
    }

    private func removeAccessory() {
        guard let accessory else { return }
        session.removeAccessory(accessory) { error in
            if let error { print("The ring was not removed:", error.localizedDescription) }
        }
    }

    private func finish(_ message: String) {
        print(message)
        accessory = nil
        manager = nil
        peripheral = nil
        onEnd()
    }

    // MARK: The connection

    private func createManager() {
        guard manager == nil else { return connect() }
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    private func connect() {
        guard let manager, manager.state == .poweredOn, let id = accessory?.bluetoothIdentifier
        else { return }
        guard let found = manager.retrievePeripherals(withIdentifiers: [id]).first else {
            return finish("The ring is not known.")
        }
        peripheral = found
        found.delegate = self
        manager.connect(found)
    }

    private func send(_ command: UInt8, _ payload: [UInt8] = []) {
        guard let peripheral, let requestCharacteristic else { return }
        var packet = [command] + payload
        packet += [UInt8](repeating: 0, count: 15 - packet.count)
        packet.append(Self.checksum(packet))
        peripheral.writeValue(
            Data(packet), for: requestCharacteristic, type: .withoutResponse)
    }

    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0, &+)
    }

    // MARK: The packets

    private enum Command {
        static let battery: UInt8 = 0x03
        static let startMeasurement: UInt8 = 0x69
        static let stopMeasurement: UInt8 = 0x6A
    }

    private enum Quantity {
        static let heartRate: UInt8 = 0x01
    }

    private func receive(_ packet: [UInt8]) {
        guard packet.count == 16, packet[15] == Self.checksum(packet[..<15]) else { return }
        switch packet[0] {
        case Command.battery:
            print("battery \(packet[1]) %")
            send(Command.startMeasurement, [Quantity.heartRate, 1])
        case Command.startMeasurement where packet[1] == Quantity.heartRate:
            receiveHeartRate(packet[3], fault: packet[2])
        case Command.stopMeasurement:
            disconnect()
        default:
            break
        }
    }

    private func receiveHeartRate(_ beatsPerMinute: UInt8, fault: UInt8) {
        // The first seconds of a measurement have no value yet.
        guard fault == 0, beatsPerMinute > 0, valueCount < Self.wantedValues else { return }
        valueCount += 1
        print("heart rate \(beatsPerMinute) bpm")
        guard valueCount == Self.wantedValues else { return }
        send(Command.stopMeasurement, [Quantity.heartRate])
    }

    private func disconnect() {
        guard let peripheral else { return }
        isRemoving = true
        manager?.cancelPeripheralConnection(peripheral)
    }
}

extension RingSessionManager: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: connect()
        case .unauthorized: finish("Bluetooth is not allowed.")
        case .unsupported: finish("There is no Bluetooth.")
        default: requestCharacteristic = nil
        }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([Self.service])
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        finish("Connecting failed: \(error?.localizedDescription ?? "no reason")")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        requestCharacteristic = nil
        if isRemoving {
            print("disconnected")
            removeAccessory()
        } else {
            connect()
        }
    }
}

extension RingSessionManager: @MainActor CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == Self.service }) else {
            return finish("The device is no ring.")
        }
        peripheral.discoverCharacteristics([Self.requests, Self.replies], for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        let characteristics = service.characteristics ?? []
        guard let requests = characteristics.first(where: { $0.uuid == Self.requests }),
            let replies = characteristics.first(where: { $0.uuid == Self.replies })
        else { return finish("The device is no ring.") }
        requestCharacteristic = requests
        peripheral.setNotifyValue(true, for: replies)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error {
            finish("Subscribing failed: \(error.localizedDescription)")
        } else if characteristic.isNotifying {
            print("connected")
            send(Command.battery)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard error == nil, let value = characteristic.value else { return }
        receive([UInt8](value))
    }
}
