protocol RecordSink {
    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition)

    /// Notes an irregularity: a record that could not be read, or was cut short by the recorder.
    mutating func note(_ oddity: TrafficOddity, at position: FilePosition)
}
