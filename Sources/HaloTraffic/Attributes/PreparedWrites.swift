import HaloCapture

/// Values that an app writes in pieces, to be put into effect together.
struct PreparedWrites: Sendable {
    /// A value, joined from its pieces.
    struct Value: Hashable, Sendable {
        var handle: UInt16
        var bytes: ContiguousArray<UInt8>
    }

    /// What became of a piece.
    enum Outcome: Hashable, Sendable {
        case kept, stray, beyondLimits
    }

    /// What the device has accepted, in the order in which the values began.
    private(set) var values: [Value] = []
    private var piece = Value(handle: 0, bytes: [])
    private var offset = 0

    /// How many values are kept at most.
    static let maximumCount = 64

    /// Takes a piece that the device has not accepted yet.
    mutating func offer(_ handle: UInt16, offset: Int, _ bytes: Span<UInt8>) {
        piece.handle = handle
        piece.bytes.removeAll(keepingCapacity: true)
        bytes.withUnsafeBufferPointer { piece.bytes.append(contentsOf: $0) }
        self.offset = offset
    }

    /// The device has accepted the piece: it begins a value, or continues the last one of its
    /// handle.
    mutating func accept() -> Outcome {
        let last = values.lastIndex { $0.handle == piece.handle }
        if offset > 0 {
            guard let last, values[last].bytes.count == offset else { return .stray }
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
        return .kept
    }

    /// Forgets everything.
    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
    }
}
