package struct ValueCount: Hashable, Sendable {
    package private(set) var count = 0
    /// The length of the shortest value in bytes; 0 without values.
    package private(set) var shortest = 0
    /// The length of the longest value in bytes; 0 without values.
    package private(set) var longest = 0

    @inline(__always)
    mutating func add(_ length: Int) {
        shortest = count == 0 ? length : min(shortest, length)
        longest = max(longest, length)
        count &+= 1
    }
}
