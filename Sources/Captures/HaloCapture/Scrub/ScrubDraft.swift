import HaloProtocol

/// A packet whose fields are being replaced.
struct ScrubDraft {
    var bytes: [UInt8]
    let fields: [DecodedField]
    private(set) var replaced: [ScrubKind: Int] = [:]
    /// The groups of fields that were replaced together.
    private var done: Set<String> = []

    init(_ packet: CapturePacket, _ explanation: Explanation) {
        bytes = packet.bytes
        fields = explanation.fields
    }

    mutating func count(_ kind: ScrubKind) { replaced[kind, default: 0] += 1 }

    /// Marks a group of fields as replaced; returns `false` if it already was.
    mutating func begins(_ group: String) -> Bool { done.insert(group).inserted }

    /// Returns the element that contains a field: `days[1].` for `days[1].percent`.
    static func element(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return String(name[...dot])
    }

    func field(_ secrecy: FieldSecrecy) -> DecodedField? { fields.first { $0.secrecy == secrecy } }

    /// Returns the range of a field, limited to the bytes.
    func range(_ field: DecodedField) -> Range<Int> {
        let start = min(max(field.offset, 0), bytes.count)
        return start..<min(max(field.offset + field.length, start), bytes.count)
    }

    mutating func set(_ field: DecodedField, _ number: UInt64) {
        let range = range(field)
        for (position, index) in range.enumerated() {
            let shift = field.isBigEndian ? range.count - 1 - position : position
            bytes[index] = UInt8(truncatingIfNeeded: number >> UInt64(shift * 8))
        }
    }

    /// Returns the largest number that fits into a field.
    static func most(_ field: DecodedField) -> UInt64 { 1 << UInt64(field.length * 8) &- 1 }
}
