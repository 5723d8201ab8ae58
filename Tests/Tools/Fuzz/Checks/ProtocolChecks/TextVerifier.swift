@testable import HaloProtocol
@testable import HaloTesting

/// Checks the parsers of text from devices and people.
enum TextVerifier {
    /// Checks that versions, UUIDs and colours parse or fail at an offset, and that parsed values
    /// print to text that parses as the same.
    static func verify(_ bytes: [UInt8]) throws(ContractViolation) {
        try verify(bytes, "FirmwareVersion") { bytes throws(TextError) in
            try FirmwareVersion(parsing: bytes)
        }
        try verify(bytes, "HardwareVersion") { bytes throws(TextError) in
            try HardwareVersion(parsing: bytes)
        }
        try verify(bytes, "BluetoothUUID") { bytes throws(TextError) in
            try BluetoothUUID(parsing: String(decoding: bytes, as: UTF8.self))
        }
        try verify(bytes, "LEDColour") { bytes throws(TextError) in
            try LEDColour(parsing: String(decoding: bytes, as: UTF8.self))
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

/// Checks explanations: each input has one, which accounts for each of its bytes.
enum ExplanationVerifier {
    /// Checks that the fields cover the bytes in order, without gap or overlap, and that an
    /// understood packet encodes to the same bytes.
    static func verify(
        _ bytes: [UInt8], as kind: PacketKind?, _ direction: Direction?
    ) throws(ContractViolation) {
        let explanation = Explanation(of: bytes, as: kind, direction: direction)
        let name = "Explanation of \(explanation.packet?.description ?? explanation.title)"
        var end = 0
        for field in explanation.fields {
            guard field.offset == end, field.length > 0 else {
                throw ContractViolation(
                    "\(field.name) begins at byte \(field.offset), the one before ends at \(end)",
                    packet: name, bytes: bytes)
            }
            end += field.length
        }
        guard end == bytes.count, explanation.bytes == bytes else {
            throw ContractViolation(
                "it ends at byte \(end) of \(bytes.count)", packet: name, bytes: bytes)
        }
        if let reencoded = explanation.reencoded, reencoded != bytes {
            throw ContractViolation("it encodes otherwise", packet: name, bytes: bytes)
        }
        guard explanation.description != "", explanation.reading != "",
            explanation.problem != "" || explanation.status != .refused
        else { throw ContractViolation("it says nothing", packet: name, bytes: bytes) }
    }
}
