extension Sequence<UInt8> {
    /// Gives the bytes to `body` where they lie, if they lie together, and else a copy of them.
    @inlinable @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ unsafe body($0.span) }) { return result }
        let copy = ContiguousArray(self)
        return body(copy.span)
    }
}
