/// One beat of a heart.
public struct HeartBeat: Hashable, Sendable {
    /// When it came, in microseconds since its sequence began.
    public let microseconds: Int64
    /// How long after the beat before it.
    public let intervalMicroseconds: Int64

    /// The interval in whole milliseconds, as rings say it.
    public var intervalMilliseconds: UInt16 {
        UInt16(clamping: (intervalMicroseconds + 500) / 1000)
    }

    /// The interval in 1/1024 s, as heart-rate sensors say it: the sum of many stays exact.
    public var intervalTicks: UInt16 {
        UInt16(clamping: Self.ticks(microseconds) - Self.ticks(microseconds - intervalMicroseconds))
    }

    private static func ticks(_ microseconds: Int64) -> Int64 { microseconds * 1024 / 1_000_000 }
}
