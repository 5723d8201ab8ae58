/// A day as in most requests: the number of days before the ring's today.
public struct DaysAgo: SlotLogDay, ExpressibleByIntegerLiteral {
    @inlinable public static var samplesBeside: Int { 12 }

    /// The number of days before the ring's today; rings keep a week or less of most logs.
    public var count: UInt8

    public static let today = DaysAgo(0)

    @inlinable @inline(__always)
    public init(_ count: UInt8) {
        self.count = count
    }

    @inlinable @inline(__always)
    public init(integerLiteral count: UInt8) {
        self.init(count)
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        count = try io.uint8("daysAgo", packet?.count, .open, .daysAgo)
    }

    /// The number of days in words: `1 day ago`.
    public var description: String { count == 1 ? "1 day ago" : "\(count) days ago" }
}
