/// A day of heart-rate variability.
///
///     → 39 daysAgo                     0 is the ring's today
///     ← 39 00 count minutes            count was always 5, minutes always 30
///     ← 39 01 daysAgo 12 samples       the request's day again
///     ← 39 n  13 samples               n = 2 … 4
///     ← 39 FF                          nothing stored for that day
///
/// A sample is milliseconds, 0 where there is none. Rings measure once an hour, so that every
/// other sample is 0. The five frames hold 51 samples, the day has 48. Some apps send the day in
/// four bytes, the lowest first, which are the same bytes.
public enum HeartRateVariabilityLog:
    SlotLogCommand, DayCommand, RequestCommand, ManyFrameCommand
{
    @inlinable public static var opcode: UInt8 { 0x39 }
    @inlinable public static var name: FieldName { "HeartRateVariabilityLog" }
    @inlinable public static var title: FieldName { "heart-rate variability log" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var unit: FieldUnit { .milliseconds }
    @inlinable public static var onlyReads: Bool { true }

    /// How the log says which day it is of.
    public typealias Day = DaysAgo
    /// The whole answer.
    public typealias Reply = SlotLog<HeartRateVariabilityLog>
    /// One frame of the answer.
    public typealias Part = SlotLogPart<HeartRateVariabilityLog>
    /// Joins the frames.
    public typealias Assembly = SlotLogAssembly<HeartRateVariabilityLog>

    /// Asks for one day.
    public typealias Request = DayRequest<HeartRateVariabilityLog>
}
