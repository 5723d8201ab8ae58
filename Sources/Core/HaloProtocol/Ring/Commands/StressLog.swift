/// The stress scores of a day.
///
///     → 37 daysAgo                     0 is the ring's today
///     ← 37 00 partCount minutesPerSample    always 5 and 30
///     ← 37 01 daysAgo 12 samples       the request's day again
///     ← 37 n  13 samples               n = 2 … 4
///     ← 37 FF                          no data for that day
///
/// A sample is a score from 1 to 100, or 0 without a measurement. The five frames hold 51 samples,
/// the day has 48. Captures show three stored days; the vendor speaks of seven.
public enum StressLog: SlotLogCommand, DayCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x37, "StressLog", "stress log", .captured, onlyReads: true)
    }
    @inlinable public static var unit: FieldUnit { .none }
    @inlinable public static var quantity: BodyQuantity { .stress }
}
