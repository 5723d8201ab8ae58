import HaloCapture
import HaloProtocol

/// Numbers as file formats and Bluetooth write them.
extension [UInt8] {
    /// A number, its lowest byte first.
    mutating func putLittle<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// A number, its highest byte first.
    mutating func putBig<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// A UUID in 16 bits where they are enough, else in 128.
    mutating func putUUID(_ uuid: BluetoothUUID) {
        if let short = uuid.short16 {
            putLittle(short)
        } else {
            putLongUUID(uuid)
        }
    }

    /// A UUID in 128 bits, the last byte of its text first.
    mutating func putLongUUID(_ uuid: BluetoothUUID) {
        putLittle(uuid.low)
        putLittle(uuid.high)
    }

    /// The six bytes of an address, the last one of its text first.
    mutating func putAddress(_ address: DeviceAddress) {
        for shift in 0..<UInt64(6) {
            append(UInt8(truncatingIfNeeded: address.value >> (shift * 8)))
        }
    }
}

extension BluetoothUUID {
    /// How many bytes the number takes in the attribute protocol.
    var attributeLength: Int { short16 == nil ? 16 : 2 }
}
