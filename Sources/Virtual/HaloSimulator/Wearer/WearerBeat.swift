/// One beat of a heart.
package struct WearerBeat: Hashable, Sendable {
    /// The moment in microseconds since the sequence began.
    package let microseconds: Int64
    /// The interval since the previous beat in microseconds.
    package let intervalMicroseconds: Int64

    /// The interval in whole milliseconds, as rings report it.
    package var intervalMilliseconds: UInt16 {
        UInt16(clamping: (intervalMicroseconds + 500) / 1000)
    }

    /// The interval in 1/1024 s, as heart-rate sensors report it; sums stay exact.
    package var intervalTicks: UInt16 {
        UInt16(clamping: Self.ticks(microseconds) - Self.ticks(microseconds - intervalMicroseconds))
    }

    private static func ticks(_ microseconds: Int64) -> Int64 { microseconds * 1024 / 1_000_000 }
}
