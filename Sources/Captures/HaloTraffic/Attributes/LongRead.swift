import HaloCapture

/// A value that is read in pieces because it may be longer than one answer.
struct LongRead: Sendable {
    /// The handle of the value, while pieces may follow.
    private(set) var handle: UInt16?
    private(set) var bytes = ContiguousArray<UInt8>()
    /// The record of the last piece.
    private(set) var position = FilePosition.start
    /// `true` if another request came after the last piece.
    var isInterrupted = false
    /// The handle and the length of the value that was last read to its end.
    private var last: (handle: UInt16, length: Int)?

    mutating func piece(_ handle: UInt16, offset: Int) -> ATTRequest.Piece {
        if offset == 0 { return .first }
        if self.handle == handle, offset <= bytes.count {
            bytes.removeLast(bytes.count - offset)
            return .next
        }
        if let last, last.handle == handle, last.length == offset { return .afterEnd }
        return .stray
    }

    mutating func restart(_ handle: UInt16, _ piece: Span<UInt8>, at position: FilePosition) {
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
