import HaloProtocol

/// Checks what reads text from devices and from people.
public enum TextVerifier {
    /// Versions and UUIDs read from any bytes, or an error says what was expected where; what was
    /// read is written so that it reads as the same.
    public static func verify(_ bytes: [UInt8]) throws(ContractViolation) {
        try verify(bytes, "FirmwareVersion") { bytes throws(TextError) in
            try FirmwareVersion(parsing: bytes)
        }
        try verify(bytes, "HardwareVersion") { bytes throws(TextError) in
            try HardwareVersion(parsing: bytes)
        }
        try verify(bytes, "BluetoothUUID") { bytes throws(TextError) in
            try BluetoothUUID(parsing: String(decoding: bytes, as: UTF8.self))
        }
        let printable = PrintableText.escaped(bytes)
        guard printable.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw ContractViolation(
                "control characters get through", packet: "PrintableText", bytes: bytes)
        }
    }

    private static func verify<Value: Hashable & CustomStringConvertible>(
        _ bytes: [UInt8], _ name: String, parse: ([UInt8]) throws(TextError) -> Value
    ) throws(ContractViolation) {
        let value: Value
        do throws(TextError) { value = try parse(bytes) } catch {
            guard error.description != "", error.offset >= 0 else {
                throw ContractViolation("an error says nothing", packet: name, bytes: bytes)
            }
            return
        }
        let again = Result { () throws(TextError) in try parse(Array(value.description.utf8)) }
        guard again == .success(value) else {
            throw ContractViolation("\(value) does not read back", packet: name, bytes: bytes)
        }
    }
}
