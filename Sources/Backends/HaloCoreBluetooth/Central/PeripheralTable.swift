#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation

/// The peripherals of recent reports, without which the system may forget a device before an app
/// connects to it.
///
/// At most ``capacity`` are retained; the one whose last report is the oldest is dropped first.
struct PeripheralTable {
    static let capacity = 256

    private var peripherals: [UUID: (peripheral: CBPeripheral, lastReport: UInt64)] = [:]
    private var reports: UInt64 = 0

    subscript(identifier: UUID) -> CBPeripheral? { peripherals[identifier]?.peripheral }

    mutating func insert(_ peripheral: CBPeripheral) {
        reports += 1
        peripherals[peripheral.identifier] = (peripheral, reports)
        guard peripherals.count > Self.capacity,
            let oldest = peripherals.min(by: { $0.value.lastReport < $1.value.lastReport })
        else { return }
        peripherals[oldest.key] = nil
    }

    mutating func removeAll() { self = PeripheralTable() }
}
#endif
