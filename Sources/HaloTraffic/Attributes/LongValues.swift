import HaloCapture

/// A value that is read in pieces because it may be longer than one answer.
struct LongRead: Sendable {
    /// The handle of the value, while pieces may follow.
    private(set) var handle: UInt16?
    /// The pieces so far.
    private(set) var bytes = ContiguousArray<UInt8>()
    /// The record of the last piece.
    private(set) var position = FilePosition.start
    /// `true` if another request came after the last piece.
    var isInterrupted = false
    /// The handle and the length of the value that was last read to its end.
    private var last: (handle: UInt16, length: Int)?

    /// Classifies a request for a piece of a value by its offset.
    mutating func piece(_ handle: UInt16, offset: Int) -> ATTRequest.Piece {
        if offset == 0 { return .first }
        if self.handle == handle, offset <= bytes.count {
            bytes.removeLast(bytes.count - offset)
            return .next
        }
        if let last, last.handle == handle, last.length == offset { return .afterEnd }
        return .stray
    }

    /// Begins with the first piece, which others may follow.
    mutating func begin(_ handle: UInt16, _ piece: Span<UInt8>, at position: FilePosition) {
        bytes.removeAll(keepingCapacity: true)
        self.handle = handle
        _ = append(piece, at: position)
    }

    /// Appends a piece; returns `false` if the value would get too long.
    mutating func append(_ piece: Span<UInt8>, at position: FilePosition) -> Bool {
        guard piece.count <= CapturePacket.maximumLength - bytes.count else { return false }
        piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        self.position = position
        isInterrupted = false
        return true
    }

    /// Drops the pieces. For a whole value, `length` is noted.
    mutating func end(_ handle: UInt16, length: Int?) {
        self.handle = nil
        bytes.removeAll(keepingCapacity: true)
        last = length.map { (handle, $0) }
    }
}

/// Values that an app writes in pieces, to be executed together.
struct PreparedWrites: Sendable {
    /// A value, joined from its pieces.
    struct Value: Hashable, Sendable {
        var handle: UInt16
        var bytes: ContiguousArray<UInt8>
    }

    /// The result of accepting a piece.
    enum Outcome: Hashable, Sendable {
        case kept, stray, beyondLimits
    }

    /// The values that the device has accepted, in the order in which they began.
    private(set) var values: [Value] = []
    private var piece = Value(handle: 0, bytes: [])
    private var offset = 0

    /// The maximum number of values.
    static let maximumCount = 64

    /// Notes a piece that the device has not accepted yet.
    mutating func offer(_ handle: UInt16, offset: Int, _ bytes: Span<UInt8>) {
        piece.handle = handle
        piece.bytes.removeAll(keepingCapacity: true)
        bytes.withUnsafeBufferPointer { piece.bytes.append(contentsOf: $0) }
        self.offset = offset
    }

    /// Keeps a piece that the device has accepted: it begins a value, or continues the last value
    /// of its handle.
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

    /// Drops all pieces and values.
    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
    }
}
