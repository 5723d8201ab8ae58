import HaloCapture
import HaloProtocol
import HaloTransport

/// Makes packets of the attribute protocol: the only place where their layouts are written down
/// for sending. Numbers go with the lowest byte first; the layouts are those of the Core
/// Specification, volume 3, part F.
enum ATTPacket {
    /// The largest attribute handle.
    static let lastHandle: UInt16 = 0xFFFF
    /// The error that ends a discovery: there is no further attribute.
    static let attributeNotFound: UInt8 = 0x0A
    /// The least that both sides can take in one packet.
    static let leastMTU = 23

    /// `01 | opcode of the request | handle | code`
    static func error(of request: ATTOpcode, _ handle: UInt16, code: UInt8) -> [UInt8] {
        var packet = begin(.errorResponse)
        packet.append(request.rawValue)
        packet.putLittle(handle)
        packet.append(code)
        return packet
    }

    /// `02 | what the asking side can take`, and `03 | what the other can`
    static func exchangeMTU(_ opcode: ATTOpcode, _ mtu: UInt16) -> [UInt8] {
        var packet = begin(opcode)
        packet.putLittle(mtu)
        return packet
    }

    /// `04 | first handle | last handle`, and with a type behind them `08` and `10`
    static func search(
        _ opcode: ATTOpcode, _ handles: ClosedRange<UInt16>, type: BluetoothUUID? = nil,
        inFull: Bool = false
    ) -> [UInt8] {
        var packet = begin(opcode)
        packet.putLittle(handles.lowerBound)
        packet.putLittle(handles.upperBound)
        if let type { inFull ? packet.putLongUUID(type) : packet.putUUID(type) }
        return packet
    }

    /// `05 | 01 for UUIDs of 16 bits, 02 for 128 | handle, UUID | …`
    static func information(
        _ entries: some Sequence<(handle: UInt16, type: BluetoothUUID)>
    ) -> [UInt8] {
        var packet = begin(.findInformationResponse)
        for entry in entries {
            if packet.count == 1 { packet.append(entry.type.attributeLength == 2 ? 1 : 2) }
            packet.putLittle(entry.handle)
            packet.putUUID(entry.type)
        }
        return packet
    }

    /// `09 | length of an entry | handle, properties, handle of the value, UUID | …`
    static func characteristics(_ entries: [ExportedCharacteristic]) -> [UInt8] {
        var packet = begin(.readByTypeResponse)
        for entry in entries {
            if packet.count == 1 { packet.append(UInt8(5 + entry.uuid.attributeLength)) }
            packet.putLittle(entry.declaration)
            packet.append(entry.properties.rawValue)
            packet.putLittle(entry.value)
            packet.putUUID(entry.uuid)
        }
        return packet
    }

    /// `11 | length of an entry | first handle, last handle, UUID | …`
    static func services(_ entries: [ExportedService]) -> [UInt8] {
        var packet = begin(.readByGroupTypeResponse)
        for entry in entries {
            if packet.count == 1 { packet.append(UInt8(4 + entry.uuid.attributeLength)) }
            packet.putLittle(entry.first)
            packet.putLittle(entry.last)
            packet.putUUID(entry.uuid)
        }
        return packet
    }

    /// `0A | handle`
    static func read(_ handle: UInt16) -> [UInt8] {
        var packet = begin(.readRequest)
        packet.putLittle(handle)
        return packet
    }

    /// `0C | handle | offset`
    static func readBlob(_ handle: UInt16, offset: UInt16) -> [UInt8] {
        var packet = begin(.readBlobRequest)
        packet.putLittle(handle)
        packet.putLittle(offset)
        return packet
    }

    /// `0B | value`, or `0D | a piece of it`
    static func answer(_ opcode: ATTOpcode, _ value: some Sequence<UInt8>) -> [UInt8] {
        begin(opcode) + value
    }

    /// `12 | handle | value`, and the same for `52`, `1B` and `1D`
    static func value(
        _ opcode: ATTOpcode, _ handle: UInt16, _ value: some Sequence<UInt8>
    ) -> [UInt8] {
        var packet = begin(opcode)
        packet.putLittle(handle)
        packet.append(contentsOf: value)
        return packet
    }

    /// `16 | handle | offset | piece`, and the same for `17`
    static func prepare(
        _ opcode: ATTOpcode, _ handle: UInt16, offset: UInt16, _ piece: some Sequence<UInt8>
    ) -> [UInt8] {
        var packet = begin(opcode)
        packet.putLittle(handle)
        packet.putLittle(offset)
        packet.append(contentsOf: piece)
        return packet
    }

    /// `18 | 01`: what was prepared is put into effect
    static let execute: [UInt8] = [ATTOpcode.executeWriteRequest.rawValue, 1]

    /// A packet of one byte: `13`, `19`, `1E`
    static func plain(_ opcode: ATTOpcode) -> [UInt8] { [opcode.rawValue] }

    private static func begin(_ opcode: ATTOpcode) -> [UInt8] { [opcode.rawValue] }
}

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
