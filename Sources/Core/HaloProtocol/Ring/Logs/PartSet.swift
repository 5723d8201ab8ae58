/// A set of part numbers, stored in four words.
@usableFromInline
struct PartSet: Sendable {
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a set that is empty, or contains only 0.
    @inlinable
    init(withZero: Bool = false) {
        words = (withZero ? 1 : 0, 0, 0, 0)
    }

    @inlinable @inline(__always)
    func contains(_ part: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(part & 63)
        switch part >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        default: return words.3 & bit != 0
        }
    }

    /// Adds a part. Returns `true` if it is new.
    ///
    /// Logs have few parts: those of the first word are inlined.
    @inlinable @inline(__always) @discardableResult
    mutating func insert(_ part: UInt8) -> Bool {
        guard part < 64 else { return insertBeyondFirstWord(part) }
        let bit = UInt64(1) &<< UInt64(part)
        guard words.0 & bit == 0 else { return false }
        words.0 |= bit
        return true
    }

    @usableFromInline @inline(never)
    mutating func insertBeyondFirstWord(_ part: UInt8) -> Bool {
        guard !contains(part) else { return false }
        let bit = UInt64(1) << UInt64(part & 63)
        switch part >> 6 {
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
        return true
    }

    /// The lowest number that is not in the set.
    @inlinable
    var firstMissing: Int {
        if ~words.0 != 0 { return (~words.0).trailingZeroBitCount }
        if ~words.1 != 0 { return 64 + (~words.1).trailingZeroBitCount }
        if ~words.2 != 0 { return 128 + (~words.2).trailingZeroBitCount }
        return 192 + (~words.3).trailingZeroBitCount
    }
}
