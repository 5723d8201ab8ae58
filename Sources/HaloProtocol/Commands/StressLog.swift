/// A day of stress scores.
///
///     → 37 daysAgo                     0 is the ring's today
///     ← 37 00 count minutes            count was always 5, minutes always 30
///     ← 37 01 daysAgo 12 samples       the request's day again
///     ← 37 n  13 samples               n = 2 … 4
///     ← 37 FF                          nothing stored for that day
///
/// A sample is a score from 1 to 100, 0 where there is none. The five frames hold 51 samples, the
/// day has 48. Captures show three stored days; the vendor speaks of seven.
public enum StressLog:
    SlotLogCommand, DayCommand, RequestCommand, ManyFrameCommand
{
    @inlinable public static var opcode: UInt8 { 0x37 }
    @inlinable public static var name: FieldName { "StressLog" }
    @inlinable public static var title: FieldName { "stress log" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var unit: FieldUnit { .none }
    @inlinable public static var onlyReads: Bool { true }

    /// How the log says which day it is of.
    public typealias Day = DaysAgo
    /// The whole answer.
    public typealias Reply = SlotLog<StressLog>
    /// One frame of the answer.
    public typealias Part = SlotLogPart<StressLog>
    /// Joins the frames.
    public typealias Assembly = SlotLogAssembly<StressLog>

    /// Asks for one day.
    public typealias Request = DayRequest<StressLog>
}
