#if !hasFeature(Embedded)
/// The sink that records every field, for explanations. For tests it can also change one byte.
package struct FieldRecorder: FieldSink {
    package static var isWatching: Bool { true }

    package internal(set) var fields: [DecodedField] = []

    /// A byte whose value is changed for the decoder: its offset, and the bits to flip.
    package struct Change: Hashable, Sendable {
        package let offset: Int
        package let bits: UInt8

        package init(offset: Int, bits: UInt8) {
            self.offset = offset
            self.bits = bits
        }
    }

    private let textSecrecy: FieldSecrecy
    private let start: Int
    private let change: Change?
    private var path: [String] = []
    /// `false` after a field without bytes, which is not recorded and has no meaning.
    private var isLastRecorded = false

    /// Creates a recorder without fields, of a packet that begins at `start` of another one.
    ///
    /// Its text may have a secrecy of its own; a changed byte is passed to the decoder.
    package init(text secrecy: FieldSecrecy = .text, start: Int = 0, change: Change? = nil) {
        textSecrecy = secrecy
        self.start = start
        self.change = change
    }

    package mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, secrecy: FieldSecrecy, unit: FieldUnit, value: UInt64
    ) -> UInt64 {
        var value = value
        if let change, change.offset >= offset, change.offset &- offset < width {
            let index = change.offset &- offset
            let shift = 8 * (isBigEndian ? width - 1 - index : index)
            value ^= UInt64(change.bits) << UInt64(shift)
        }
        note(
            name, at: offset, length: width, role: role, secrecy, isBigEndian: isBigEndian,
            value: .integer(value), meaning: unit.text(value))
        return value
    }

    package mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit, value: [UInt8]
    ) -> [UInt8] {
        var value = value
        if let change, change.offset >= offset,
            value.indices.contains(change.offset &- offset)
        {
            value[change.offset &- offset] ^= change.bits
        }
        let meaning =
            role == .unclaimed
            ? "" : value.map { "\($0)" }.joined(separator: " ") + unit.suffix.description
        note(
            name, at: offset, length: value.count, role: role, secrecy, isBigEndian: false,
            value: .bytes(value), meaning: meaning)
        return value
    }

    package mutating func means(_ meaning: () -> String) {
        guard isLastRecorded, let last = fields.indices.last else { return }
        fields[last].meaning = meaning()
    }

    /// Begins element `index` of `name`: the names of the fields that follow begin with it.
    package mutating func enter(_ name: FieldName, _ index: Int) {
        path.append("\(name)[\(index)].")
    }

    package mutating func leave() {
        _ = path.popLast()
    }

    private mutating func note(
        _ name: FieldName, at offset: Int, length: Int, role: FieldRole, _ secrecy: FieldSecrecy,
        isBigEndian: Bool, value: DecodedField.Value, meaning: String
    ) {
        isLastRecorded = length > 0
        guard isLastRecorded else { return }
        fields.append(
            DecodedField(
                name: path.isEmpty ? name.description : path.joined() + name.description,
                offset: start + offset, length: length, role: role,
                secrecy: secrecy == .text ? textSecrecy : secrecy, isBigEndian: isBigEndian,
                value: value, meaning: meaning))
    }
}
#endif
