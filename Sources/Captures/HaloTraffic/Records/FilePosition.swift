struct FilePosition: Hashable, Sendable {
    /// The number of the record, counted from 1.
    var number: Int
    var offset: Int
    /// The time in microseconds: since 1970 in UTC, or since the recorder began if the format has
    /// no dates.
    var microseconds: Int64

    static let start = FilePosition(number: 0, offset: 0, microseconds: 0)
}
