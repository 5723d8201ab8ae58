/// A big-data command that a ring answers with stored days of equal length.
public protocol RecordDaysCommand: BigDataCommand {
    /// What a day holds.
    associatedtype Day: RecordDay
}
