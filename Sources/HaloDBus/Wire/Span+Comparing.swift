#if os(Linux)
extension Span<UInt8> {
    /// Whether the same bytes are in that place; both have to have it.
    func isSame(_ other: Span<UInt8>, in range: Range<Int>) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= Swift.min(count, other.count) else {
            return false
        }
        return withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
                var offset = range.lowerBound
                while offset + 8 <= range.upperBound {
                    guard
                        one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                            == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    else { return false }
                    offset += 8
                }
                while offset < range.upperBound {
                    guard one[offset] == other[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }
}
#endif
