#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

extension BluetoothUUID {
    /// Converts a UUID of the system by its bytes, because its text has several forms.
    init(_ uuid: CBUUID) {
        let bytes = uuid.data
        if bytes.count == 16 {
            self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.suffix(8)))
        } else {
            self.init(Self.number(bytes) as UInt32)
        }
    }

    /// The UUID for the system, in its shortest form.
    var system: CBUUID {
        if let short16 { return CBUUID(data: Self.data(UInt64(short16), bytes: 2)) }
        return systemInFull
    }

    var systemInFull: CBUUID {
        CBUUID(data: Self.data(high, bytes: 8) + Self.data(low, bytes: 8))
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: Data) -> Number {
        bytes.reduce(0) { $0 << 8 | Number($1) }
    }

    private static func data(_ number: UInt64, bytes count: Int) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0.suffix(count)) }
    }
}

extension PeripheralIdentity {
    init(_ identifier: UUID) { self.init(identifier.uuidString) }

    init(_ peer: CBPeer) { self.init(peer.identifier) }

    /// The identifier for the system; `nil` for an identity of another backend.
    var system: UUID? { UUID(uuidString: rawValue) }
}

extension GATTProperties {
    /// Converts properties: their lower bits are those of the characteristic's declaration.
    init(_ properties: CBCharacteristicProperties) {
        self.init(rawValue: UInt8(truncatingIfNeeded: properties.rawValue))
    }

    var system: CBCharacteristicProperties { CBCharacteristicProperties(rawValue: UInt(rawValue)) }
}
#endif
