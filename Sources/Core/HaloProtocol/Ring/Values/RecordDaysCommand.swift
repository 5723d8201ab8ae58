/// A big-data command whose reply is stored days of equal length.
public protocol RecordDaysCommand: BigDataCommand {
    /// The stored days.
    associatedtype Reply = RecordDays<Self>
    /// The fields of a day.
    associatedtype Day: RecordDay
}
