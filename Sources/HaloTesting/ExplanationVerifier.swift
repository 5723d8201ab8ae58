public import HaloProtocol

/// Checks explanations: of any bytes there is one, and it accounts for each of them.
public enum ExplanationVerifier {
    /// The fields cover the bytes in order, without gap or overlap, and what is called understood
    /// encodes to the same bytes.
    public static func verify(
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
