import HaloCapture

/// A value that is read in pieces, because it may be longer than one answer.
struct LongRead: Sendable {
    /// Whose value it is, while pieces may follow.
    private(set) var handle: UInt16?
    /// What has come of it.
    private(set) var bytes = ContiguousArray<UInt8>()
    /// Where the last piece stands.
    private(set) var place = RecordPlace(number: 0, offset: 0, microseconds: 0)
    /// The value that was last read to its end, and how long it is.
    private(set) var last: (handle: UInt16, length: Int)?

    /// Which part of a value an app asks for.
    mutating func part(_ handle: UInt16, offset: Int) -> ATTRequest.BlobPart {
        if offset == 0 { return .first }
        if self.handle == handle, offset <= bytes.count {
            bytes.removeLast(bytes.count - offset)
            return .next
        }
        if let last, last.handle == handle, last.length == offset { return .afterEnd }
        return .stray
    }

    /// Takes the first piece, behind which more may come.
    mutating func begin(_ handle: UInt16, _ piece: Span<UInt8>, at place: RecordPlace) {
        bytes.removeAll(keepingCapacity: true)
        self.handle = handle
        append(piece, at: place)
    }

    /// Takes one more piece; answers false if the value would get too long.
    mutating func resume(_ piece: Span<UInt8>, at place: RecordPlace) -> Bool {
        guard piece.count <= CapturePacket.maximumLength - bytes.count else { return false }
        append(piece, at: place)
        return true
    }

    /// Forgets what has come; notes how long a value was that is whole.
    mutating func end(_ handle: UInt16, length: Int?) {
        self.handle = nil
        bytes.removeAll(keepingCapacity: true)
        last = length.map { (handle, $0) }
    }

    private mutating func append(_ piece: Span<UInt8>, at place: RecordPlace) {
        piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        self.place = place
    }
}
