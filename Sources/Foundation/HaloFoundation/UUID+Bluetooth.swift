public import Foundation
public import HaloProtocol

extension BluetoothUUID {
    /// Creates the UUID with the same 128 bits.
    public init(_ uuid: UUID) {
        let bytes = uuid.uuid
        self.init(
            high: Self.joined(
                bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7),
            low: Self.joined(
                bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15))
    }

    private static func joined(_ bytes: UInt8...) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension UUID {
    /// Creates the UUID with the same 128 bits; a UUID of the Bluetooth SIG is used in its long
    /// form.
    public init(_ uuid: BluetoothUUID) {
        let byte = { (index: Int) in
            UInt8(truncatingIfNeeded: (index < 8 ? uuid.high : uuid.low) >> (56 - index % 8 * 8))
        }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8),
                byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
