/// Where a record stands in its file, and when it was heard.
struct RecordPlace: Hashable, Sendable {
    /// Which record it is, counted from 1.
    var number: Int
    /// Where in the file it begins, in bytes.
    var offset: Int
    /// When it was heard: microseconds since 1970 in UTC, or since the recorder began if the
    /// format knows no date.
    var microseconds: Int64
}
