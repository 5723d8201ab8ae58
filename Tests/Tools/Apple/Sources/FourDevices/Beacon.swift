import HaloProtocol
import HaloTransport

/// Prints the name of a beacon.
func findBeacon(over bluetooth: some BLETransport) async throws {
    let service = BluetoothUUID(high: 0xC0DE_0001_1C2B_4B43, low: 0x9D2E_7A5B_0E4F_2A10)
    let found = try await bluetooth.find(ScanFilter(services: [service]))
    print("beacon: \(found.name ?? "no name")")
}
