/// Temperatures at equal distances, under one of two ids.
///
///     → 77 day interval count index
///     ← 77 values…      2 bytes LE each: hundredths of a degree Celsius
///
/// Vendor notes only; what tells it from 74 is not known.
public enum IntervalTemperature77: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "IntervalTemperature77" }
    public static var title: FieldName { "temperature at intervals (77)" }
    public static var evidence: Evidence { .vendor }
    public static var requestID: UInt8 { 0x77 }
    public static var onlyReads: Bool { true }

    /// Asks for temperatures.
    public typealias Request = IntervalRequest<IntervalTemperature77>
    /// The temperatures.
    public typealias Reply = IntervalTemperatureReply<IntervalTemperature77>
}
