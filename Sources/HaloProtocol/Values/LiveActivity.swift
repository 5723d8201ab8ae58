/// What the wearer has walked today, as ``RingNotification`` tells it on the way.
public struct LiveActivity: Hashable, Sendable {
    /// Steps since the ring's midnight.
    public var steps: UInt24
    /// Small calories since the ring's midnight.
    public var calories: UInt24
    /// Metres since the ring's midnight.
    public var metres: UInt24

    /// Totals of today.
    @inlinable @inline(__always)
    public init(steps: UInt24, calories: UInt24, metres: UInt24) {
        self.steps = steps
        self.calories = calories
        self.metres = metres
    }

    /// The calories in the unit of food labels.
    @inlinable public var kilocalories: Double { Double(calories.value) / 1000 }

    @inlinable @inline(__always)
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        steps = try reader.uint24BigEndian("steps", .steps)
        calories = try reader.uint24BigEndian("calories", .calories)
        metres = try reader.uint24BigEndian("metres", .metres)
    }

    @inlinable @inline(__always)
    func encode(into writer: inout FrameWriter) {
        writer.uint24BigEndian("steps", steps)
        writer.uint24BigEndian("calories", calories)
        writer.uint24BigEndian("metres", metres)
    }
}
