/// Totals of today, which a ring pushes with ``RingNotification`` while its wearer walks.
public struct LiveActivity: Hashable, Sendable {
    public var steps: UInt24
    public var smallCalories: UInt24
    public var metres: UInt24

    package init(steps: UInt24, smallCalories: UInt24, metres: UInt24) {
        self.steps = steps
        self.smallCalories = smallCalories
        self.metres = metres
    }

    /// The energy in kilocalories.
    @inlinable public var kilocalories: Double { Double(smallCalories.value) / 1000 }

    @inlinable @inline(__always)
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        steps = try io.uint24("steps", packet?.steps, .total(.steps), .steps, isBigEndian: true)
        smallCalories = try io.uint24(
            "smallCalories", packet?.smallCalories, .total(.calories), .calories, isBigEndian: true)
        metres = try io.uint24(
            "metres", packet?.metres, .total(.metres), .metres, isBigEndian: true)
    }
}
