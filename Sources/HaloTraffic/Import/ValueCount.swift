/// How many values went one way, and how long they were.
public struct ValueCount: Hashable, Sendable {
    /// How many.
    public private(set) var count = 0
    /// How long the shortest was, in bytes; 0 if there was none.
    public private(set) var shortest = 0
    /// How long the longest was, in bytes; 0 if there was none.
    public private(set) var longest = 0

    init() {}

    @inline(__always)
    mutating func take(_ length: Int) {
        shortest = count == 0 ? length : min(shortest, length)
        longest = max(longest, length)
        count &+= 1
    }
}
