#if !hasFeature(Embedded)
/// What bytes say, byte by byte: each field with its place, its name, its value and its meaning.
///
/// It comes from the decoders themselves, so it cannot say anything else than a program reads.
/// Print it for a table; read ``fields`` for the same as values.
public struct Explanation: Hashable, Sendable {
    /// How far the bytes were understood.
    public enum Status: Hashable, Sendable {
        /// They are a packet, and all of it was read.
        case decoded
        /// They are not a valid packet of their kind.
        case refused
        /// Nobody has described such a packet.
        case unknown
    }

    /// How far the bytes were understood.
    public let status: Status
    /// What the bytes were taken for; nothing where that could not be found out.
    public internal(set) var kind: PacketKind?
    /// The packet's type, as programs write it; nothing where no type was found.
    public let packet: PacketName?
    /// What the packet is, in words.
    public let title: String
    /// The bytes.
    public let bytes: [UInt8]
    /// Every field in order, the frame's own and those that nobody can name included.
    public let fields: [DecodedField]
    /// What decoding and encoding again gave; the same bytes, unless something was wrong.
    public let reencoded: [UInt8]?
    /// Why the bytes are not the packet, as one sentence.
    public let problem: String?

    init(
        _ status: Status, packet: PacketName?, title: String, bytes: [UInt8],
        fields: [DecodedField], reencoded: [UInt8]? = nil, problem: String? = nil
    ) {
        self.status = status
        self.packet = packet
        self.title = title
        self.bytes = bytes
        self.fields = Self.completed(fields, count: bytes.count, status: status)
        self.reencoded = reencoded
        self.problem = problem
    }

    /// The packet with its fields on one line, as captures write it.
    public var reading: String {
        let fields = fields.filter(\.isPartOfReading).map { "\($0.name): \($0.text)" }
        return "\(packet?.description ?? "unknown")(\(fields.joined(separator: ", ")))"
    }

    /// The given fields, and one more for every run of bytes that none of them covers.
    private static func completed(
        _ fields: [DecodedField], count: Int, status: Status
    ) -> [DecodedField] {
        let name = status == .refused ? "unread" : "unclaimed"
        var completed: [DecodedField] = []
        var end = 0
        for field in fields.sorted(by: { $0.offset < $1.offset }) {
            if field.offset > end {
                completed.append(.gap(name, from: end, to: field.offset))
            }
            completed.append(field)
            end = max(end, field.offset + field.length)
        }
        if end < count { completed.append(.gap(name, from: end, to: count)) }
        return completed
    }
}

extension DecodedField {
    /// Bytes that no field covers.
    static func gap(_ name: String, from start: Int, to end: Int) -> DecodedField {
        DecodedField(
            name: name, offset: start, length: end - start, role: .unclaimed,
            isBigEndian: false, value: .bytes([]), meaning: "")
    }

    /// A field of the frame around a packet.
    static func framing(
        _ name: String, at offset: Int, length: Int = 1, _ value: UInt64, _ meaning: String
    ) -> DecodedField {
        DecodedField(
            name: name, offset: offset, length: length, role: .framing,
            isBigEndian: false, value: .integer(value), meaning: meaning)
    }

    /// Whether the one-line reading of a packet mentions the field.
    var isPartOfReading: Bool {
        switch role {
        case .value, .structure: true
        case .framing: false
        case .unclaimed: text != ""
        }
    }

    /// The meaning, or what the bytes are where nobody knows one; empty for zeros.
    var text: String {
        guard role == .unclaimed else { return meaning }
        switch value {
        case .integer(let number): return number == 0 ? "" : "\(number)"
        case .bytes(let bytes):
            return bytes.allSatisfy { $0 == 0 } ? "" : HexText.bytes(bytes, separator: " ")
        }
    }
}
#endif
