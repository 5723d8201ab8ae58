/// A day as most requests name it: by how many days it lies before the ring's today.
public struct DaysAgo: SlotLogDay, ExpressibleByIntegerLiteral, Comparable {
    @inlinable public static var samplesBeside: Int { 12 }

    /// How many days before the ring's today; rings keep a week or less of most logs.
    public var count: UInt8

    /// The day that the ring's clock shows.
    public static let today = DaysAgo(0)

    /// The day `count` days before the ring's today.
    @inlinable @inline(__always)
    public init(_ count: UInt8) {
        self.count = count
    }

    /// The day so many days before the ring's today.
    @inlinable @inline(__always)
    public init(integerLiteral count: UInt8) {
        self.init(count)
    }

    /// The nearer day comes first.
    @inlinable
    public static func < (left: DaysAgo, right: DaysAgo) -> Bool { left.count < right.count }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        count = try reader.uint8("daysAgo", .daysAgo)
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        writer.uint8("daysAgo", count)
    }

    /// `0 days ago` is today.
    public var description: String { count == 1 ? "1 day ago" : "\(count) days ago" }
}
