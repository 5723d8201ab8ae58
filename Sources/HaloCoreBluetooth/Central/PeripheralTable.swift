#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation

/// The peripherals of recent reports, without which the system may forget a device before an app
/// connects to it.
///
/// At most ``capacity`` are retained; the one that was reported first is dropped first.
struct PeripheralTable {
    /// The maximum number of peripherals.
    static let capacity = 256

    private var peripherals: [UUID: CBPeripheral] = [:]
    private var order: [UUID] = []

    /// The peripheral of an identifier.
    subscript(identifier: UUID) -> CBPeripheral? { peripherals[identifier] }

    /// Retains a peripheral.
    mutating func insert(_ peripheral: CBPeripheral) {
        if peripherals.updateValue(peripheral, forKey: peripheral.identifier) == nil {
            order.append(peripheral.identifier)
        }
        guard order.count > Self.capacity else { return }
        peripherals[order.removeFirst()] = nil
    }

    /// Drops all peripherals.
    mutating func removeAll() { self = PeripheralTable() }
}
#endif
