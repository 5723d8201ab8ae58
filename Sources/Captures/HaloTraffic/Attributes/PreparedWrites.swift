import HaloCapture

struct PreparedWrites: Sendable {
    struct Value: Hashable, Sendable {
        var handle: UInt16
        var bytes: ContiguousArray<UInt8>
    }

    /// The values that the device has accepted, in the order in which they began.
    private(set) var values: [Value] = []
    private var piece = Value(handle: 0, bytes: [])
    private var offset = 0

    static let maximumCount = 64

    /// Notes a piece that the device has not accepted yet.
    mutating func offer(_ handle: UInt16, offset: Int, _ bytes: Span<UInt8>) {
        piece = Value(handle: handle, bytes: bytes.withUnsafeBufferPointer { ContiguousArray($0) })
        self.offset = offset
    }

    /// Keeps a piece that the device has accepted: it begins a value, or continues the last value
    /// of its handle. Returns the irregularity of a piece that is not kept.
    mutating func accept() -> TrafficOddity? {
        let last = values.lastIndex { $0.handle == piece.handle }
        if offset > 0 {
            guard let last, values[last].bytes.count == offset else { return .strayFragment }
            guard piece.bytes.count <= CapturePacket.maximumLength - offset else {
                return .beyondLimits
            }
            values[last].bytes.append(contentsOf: piece.bytes)
        } else {
            guard values.count < Self.maximumCount,
                piece.bytes.count <= CapturePacket.maximumLength
            else { return .beyondLimits }
            values.append(piece)
        }
        return nil
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
    }
}
