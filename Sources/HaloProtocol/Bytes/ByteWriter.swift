/// Writes the fields of a packet of any length.
@frozen
public struct ByteWriter: FieldWriter, Sendable {
    /// What was written so far.
    public internal(set) var bytes: [UInt8]

    /// Starts empty, with room for `capacity` bytes.
    public init(capacity: Int = 32) {
        bytes = []
        bytes.reserveCapacity(min(max(capacity, 0), BigDataFrame.maximumPayloadLength))
    }

    /// Appends the low `width` bytes (1 to 8) of a number, the lowest first.
    public mutating func put(_ value: UInt64, width: Int) {
        var rest = value
        for _ in 0..<min(max(width, 0), 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    /// Appends bytes as they are.
    public mutating func byteArray(_ name: FieldName, _ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends bytes whose meaning nobody knows.
    public mutating func unclaimed(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }
}
