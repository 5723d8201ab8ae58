#if !hasFeature(Embedded)
/// The sink that notes every field, for explanations; and can answer with another value, for tests.
public struct FieldRecorder: FieldSink {
    /// Everything is watched.
    public static var isWatching: Bool { true }

    /// The fields read so far, in order.
    public private(set) var fields: [DecodedField] = []

    /// A byte to answer differently: its place in the packet, and the bits to turn over.
    public struct Change: Hashable, Sendable {
        /// Which byte of the packet.
        public let offset: Int
        /// Which bits of it.
        public let bits: UInt8

        /// Turns over `bits` of the byte at `offset`.
        public init(offset: Int, bits: UInt8) {
            self.offset = offset
            self.bits = bits
        }
    }

    private let change: Change?
    private var path: [String] = []

    /// A recorder; with a change, the decoder is told another value than the bytes hold.
    public init(change: Change? = nil) {
        self.change = change
    }

    /// Notes a number.
    public mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, unit: FieldUnit, value: UInt64
    ) -> UInt64 {
        var value = value
        if let change, change.offset >= offset, change.offset &- offset < width {
            let place = change.offset &- offset
            let shift = 8 * (isBigEndian ? width - 1 - place : place)
            value ^= UInt64(change.bits) << UInt64(shift)
        }
        note(
            name, at: offset, length: width, role: role, isBigEndian: isBigEndian,
            value: .integer(value), meaning: unit.text(value))
        return value
    }

    /// Notes bytes.
    public mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, unit: FieldUnit, value: [UInt8]
    ) -> [UInt8] {
        var value = value
        if let change, change.offset >= offset,
            value.indices.contains(change.offset &- offset)
        {
            value[change.offset &- offset] ^= change.bits
        }
        let numbers = value.map { "\($0)" }.joined(separator: " ")
        note(
            name, at: offset, length: value.count, role: role, isBigEndian: false,
            value: .bytes(value), meaning: role == .unclaimed ? "" : "\(numbers)\(unit.suffix)")
        return value
    }

    /// Notes in words what the last field means.
    public mutating func means(_ meaning: () -> String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].meaning = meaning()
    }

    /// Names the fields that follow after the element they lie in.
    public mutating func enter(_ name: FieldName, _ index: Int) {
        path.append("\(name)[\(index)].")
    }

    /// Ends the element.
    public mutating func leave() {
        _ = path.popLast()
    }

    private mutating func note(
        _ name: FieldName, at offset: Int, length: Int, role: FieldRole, isBigEndian: Bool,
        value: DecodedField.Value, meaning: String
    ) {
        guard length > 0 else { return }
        fields.append(
            DecodedField(
                name: path.joined() + name.description, offset: offset, length: length,
                role: role, isBigEndian: isBigEndian, value: value, meaning: meaning))
    }
}
#endif
