/// Takes in what the records of a file hold, one after another.
protocol RecordSink {
    /// Takes in one record.
    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace)

    /// Takes note of a record that could not be read, or was cut short by the recorder.
    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace)
}
