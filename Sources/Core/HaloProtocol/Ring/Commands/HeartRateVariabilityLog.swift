/// The heart-rate variability of a day.
///
///     → 39 daysAgo                     0 is the ring's today
///     ← 39 00 partCount minutesPerSample    always 5 and 30
///     ← 39 01 daysAgo 12 samples       the request's day again
///     ← 39 n  13 samples               n = 2 … 4
///     ← 39 FF                          no data for that day
///
/// A sample is in milliseconds, or 0 without a measurement. Rings measure once an hour, so every
/// other sample is 0. The five frames hold 51 samples, the day has 48. Some apps send the day in
/// four bytes, little endian, which gives the same frame.
public enum HeartRateVariabilityLog: SlotLogCommand, DayCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0x39, "HeartRateVariabilityLog", "heart-rate variability log", .captured,
            onlyReads: true)
    }
    @inlinable public static var unit: FieldUnit { .milliseconds }
    @inlinable public static var quantity: BodyQuantity { .variability }
}
