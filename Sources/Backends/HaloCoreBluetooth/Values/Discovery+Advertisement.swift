#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

extension Discovery {
    private static let noRSSI = 127

    /// Reads the report of a scan. The dictionary is the system's, and may have values of any type.
    init(_ peripheral: CBPeripheral, _ advertisement: [String: Any], rssi: NSNumber?) {
        let uuids = [
            CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataOverflowServiceUUIDsKey,
        ].flatMap { advertisement[$0] as? [CBUUID] ?? [] }
        var manufacturerData: [ManufacturerData] = []
        if let data = advertisement[CBAdvertisementDataManufacturerDataKey] as? Data,
            data.count >= 2
        {
            let bytes = Array(data)
            manufacturerData.append(
                ManufacturerData(
                    company: UInt16(bytes[0]) | UInt16(bytes[1]) << 8, bytes: Array(bytes[2...])))
        }
        let connectable = advertisement[CBAdvertisementDataIsConnectable] as? NSNumber
        // The system's name is the one of an earlier connection, which may be stale.
        let advertised = advertisement[CBAdvertisementDataLocalNameKey] as? String
        self.init(
            PeripheralIdentity(peripheral), name: advertised ?? peripheral.name,
            services: uuids.map { BluetoothUUID($0) }, manufacturerData: manufacturerData,
            rssi: Self.rssi(rssi), isConnectable: connectable?.boolValue)
    }

    static func rssi(_ number: NSNumber?) -> Int? {
        number.map(\.intValue).flatMap { abs($0) == noRSSI ? nil : $0 }
    }
}

/// The value of a descriptor, which the system converts to text or a number.
func bytes(ofDescriptor value: Any?) -> [UInt8]? {
    switch value {
    case let data as Data: return Array(data)
    case let text as String: return Array(text.utf8)
    case let number as NSNumber:
        let bits = number.uint16Value
        return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    default: return nil
    }
}
#endif
