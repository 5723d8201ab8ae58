#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import HaloProtocol
internal import HaloTransport

/// The scans of an app, which share the one scan of the system's manager.
///
/// The system's scan is for the services of all scans; it is for all devices if one of them has no
/// services. It begins again with each further scan, because the system reports a device once.
/// Without services it is one with duplicates: otherwise some systems report no names.
struct ScanTable {
    private struct Scan {
        let number: UInt64
        let filter: ScanFilter
        let report: BLECompletion<Discovery>
    }

    private struct Parameters: Equatable {
        /// The services; empty for all devices.
        var services: Set<BluetoothUUID>
        var reportsDuplicates: Bool
    }

    private var scans: [Scan] = []
    private var current: Parameters?

    mutating func add(
        _ number: UInt64, _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) {
        scans.append(Scan(number: number, filter: filter, report: report))
        current = nil
    }

    mutating func remove(_ number: UInt64) { scans.removeAll { $0.number == number } }

    func report(_ discovery: Discovery) {
        for scan in scans { scan.report(.success(discovery)) }
    }

    mutating func endAll(_ error: BLEError) {
        let ended = scans
        scans = []
        for scan in ended { scan.report(.failure(error)) }
    }

    mutating func update(_ manager: CBCentralManager?, _ state: AdapterState) {
        guard let manager, state == .poweredOn else {
            current = nil
            return
        }
        guard let wanted else {
            if manager.isScanning { manager.stopScan() }
            return
        }
        guard wanted != current else { return }
        current = wanted
        manager.scanForPeripherals(
            withServices: wanted.services.isEmpty ? nil : wanted.services.map(\.system),
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: wanted.reportsDuplicates])
    }

    private var wanted: Parameters? {
        guard !scans.isEmpty else { return nil }
        let isForAll = scans.contains { $0.filter.services.isEmpty }
        return Parameters(
            services: isForAll ? [] : Set(scans.flatMap(\.filter.services)),
            reportsDuplicates: isForAll || scans.contains { $0.filter.reportsDuplicates })
    }
}
#endif
