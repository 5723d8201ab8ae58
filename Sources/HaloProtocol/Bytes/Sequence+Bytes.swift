extension Sequence<UInt8> {
    /// Gives the bytes to `body` where they lie, if they lie together, and else a copy of them.
    @inlinable @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ unsafe body($0.span) }) { return result }
        let copy = ContiguousArray(self)
        return body(copy.span)
    }
}

extension Array<UInt8> {
    /// A copy of bytes.
    @inlinable @inline(__always)
    init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Gives the bytes to `body` where they lie.
    @inlinable @inline(__always)
    func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { bytes throws(Failure) in try unsafe body(bytes.span) }
    }
}
