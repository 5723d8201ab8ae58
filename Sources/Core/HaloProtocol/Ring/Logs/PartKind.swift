/// The kind of a frame in a reply of records: its first byte. A record has none, and begins with
/// its fields.
@frozen
@usableFromInline
enum PartKind: UInt8 {
    case header = 0xF0
    /// The only frame of a day without data.
    case noData = 0xFF
    case record = 0
}

extension FrameIO {
    @inlinable @inline(__always)
    mutating func partKind(_ value: PartKind?) throws(PacketError) -> PartKind {
        let kind = PartKind(rawValue: upcoming(value.map { $0.rawValue })) ?? .record
        guard kind != .record else { return .record }
        _ = try structure("kind", value.map { $0.rawValue }, in: kind.rawValue...kind.rawValue)
        means { kind == .header ? "header" : "no data" }
        return kind
    }
}
