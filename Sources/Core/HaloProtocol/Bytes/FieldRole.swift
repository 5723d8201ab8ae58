/// The role of a field in its packet.
@frozen
public enum FieldRole: Hashable, Sendable {
    /// A value: changing it changes just these bytes of the encoding.
    case value
    /// A part of the structure, such as an index or a kind: it decides which fields follow.
    case structure
    /// Bytes of unknown meaning; they are kept, or must be zero.
    case unclaimed
    /// A part of the envelope without information of its own: opcode, checksum, marker, count,
    /// length.
    case framing
}
