/// Temperatures at equal intervals, under one of two ids.
///
///     → 77 day interval count index
///     ← 77 values…      2 bytes LE each: hundredths of a degree Celsius
///
/// Vendor notes only; the difference to 74 is not known.
public enum IntervalTemperature77: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x77, "IntervalTemperature77", "temperature at intervals (77)", onlyReads: true)

    /// A request for temperatures.
    public typealias Request = IntervalRequest<IntervalTemperature77>
    /// The temperatures.
    public typealias Reply = IntervalTemperatureReply<IntervalTemperature77>
}
