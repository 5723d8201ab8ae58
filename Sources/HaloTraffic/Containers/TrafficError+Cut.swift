extension TrafficError {
    /// The file ends within a unit that has at least so many bytes; or there is no file at all.
    static func cut(_ rest: Span<UInt8>, at offset: Int, needs count: Int) -> TrafficError {
        if rest.isEmpty, offset == 0 { return TrafficError(.empty, at: 0) }
        return TrafficError(.truncated, at: offset, missing: max(count - rest.count, 1))
    }
}
