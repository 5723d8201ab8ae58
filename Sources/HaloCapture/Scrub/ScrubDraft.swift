import HaloProtocol

/// A packet on its way from what it said to what it is to say.
struct ScrubDraft {
    /// What became of the bytes so far.
    var bytes: [UInt8]
    /// The fields as they were.
    let fields: [DecodedField]
    /// What its fields are listed under.
    let subject: String?
    /// What was replaced so far.
    private(set) var replaced: [ScrubKind: Int] = [:]
    /// Groups of fields that are replaced at once, and are done.
    private var done: Set<String> = []

    init(_ packet: ScrubPacket, _ explanation: Explanation) {
        bytes = packet.bytes
        fields = explanation.fields
        subject = packet.subject(explanation)
    }

    mutating func count(_ kind: ScrubKind?) {
        if let kind { replaced[kind, default: 0] += 1 }
    }

    /// Whether the group that a field belongs to is due; asked again, it is not.
    mutating func begins(_ group: String) -> Bool { done.insert(group).inserted }

    /// The element that a field lies in: `days[1].` of `days[1].percent`.
    static func element(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return String(name[...dot])
    }

    /// Another field of the same element.
    func field(_ name: String, beside field: DecodedField) -> DecodedField? {
        self.field(Self.element(field.name) + name)
    }

    func field(_ name: String) -> DecodedField? { fields.first { $0.name == name } }

    /// Where a field lies, as far as there are bytes.
    func range(_ field: DecodedField) -> Range<Int> {
        let start = min(max(field.offset, 0), bytes.count)
        return start..<min(max(field.offset + field.length, start), bytes.count)
    }

    /// Writes a number, as many of its bytes as the field has.
    mutating func set(_ field: DecodedField, _ number: UInt64) {
        let range = range(field)
        for (place, index) in range.enumerated() where place < 8 {
            let shift = field.isBigEndian ? range.count - 1 - place : place
            bytes[index] = UInt8(truncatingIfNeeded: number >> UInt64(min(shift, 7) * 8))
        }
    }

    /// The largest number that a field holds.
    static func most(_ field: DecodedField) -> UInt64 {
        field.length < 8 ? 1 << UInt64(max(field.length, 0) * 8) - 1 : .max
    }
}

extension DecodedField {
    /// The number that it held; nothing for bytes.
    var number: UInt64? {
        if case .integer(let number) = value { number } else { nil }
    }
}

/// A whole packet of a capture: what one line carried, or the pieces of a big-data frame together.
struct ScrubPacket: Hashable, Sendable {
    let direction: Direction
    /// What it is read as; a frame of the UART service may come on the other channel.
    let channel: CaptureChannel
    let bytes: [UInt8]

    /// GAP's name of a device; it is text without a decoder of its own.
    private static let deviceName = BluetoothUUID(0x2A00 as UInt32)

    /// What decoders take the packet for; nothing where none knows its channel.
    var kind: PacketKind? { channel.packetKind }

    /// What it says, byte by byte.
    var explanation: Explanation? { explanation(of: bytes) }

    /// What other bytes would say in its place.
    func explanation(of bytes: [UInt8]) -> Explanation? {
        kind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }

    /// What its fields are listed under in a ``FieldCensus``.
    func subject(_ explanation: Explanation) -> String? {
        if case .characteristic(let uuid) = channel {
            return CharacteristicCatalog.entry(uuid)?.name.description
        }
        return explanation.packet?.subject.description
    }

    /// Whether it is nothing but a name.
    var isName: Bool { channel == .characteristic(Self.deviceName) }
}
