/// Four small fields in one word, the first lowest.
///
/// A processor stores one word in the time of one byte: a packet of many small fields is made and
/// moved faster with them.
@frozen
@usableFromInline
struct FourBytes: Hashable, Sendable {
    @usableFromInline var word: UInt32

    @inlinable @inline(__always)
    init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        word = UInt32(first) | UInt32(second) &<< 8 | UInt32(third) &<< 16 | UInt32(fourth) &<< 24
    }

    /// One of the four, by its place from 0 to 3.
    @inlinable @inline(__always)
    subscript(place: UInt32) -> UInt8 {
        get { UInt8(truncatingIfNeeded: word &>> (place &* 8)) }
        set { word = word & ~(0xFF &<< (place &* 8)) | UInt32(newValue) &<< (place &* 8) }
    }
}
