/// Temperatures at equal distances, under one of two ids.
///
///     → 74 day interval count index
///     ← 74 values…      2 bytes LE each: hundredths of a degree Celsius
///
/// Vendor notes only; what tells it from 77 is not known.
public enum IntervalTemperature74: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "IntervalTemperature74" }
    public static var title: FieldName { "temperature at intervals (74)" }
    public static var evidence: Evidence { .vendor }
    public static var requestID: UInt8 { 0x74 }
    public static var onlyReads: Bool { true }

    /// Asks for temperatures.
    public typealias Request = IntervalRequest<IntervalTemperature74>
    /// The temperatures.
    public typealias Reply = IntervalTemperatureReply<IntervalTemperature74>
}
