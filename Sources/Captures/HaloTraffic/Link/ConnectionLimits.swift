enum ConnectionLimits {
    /// The maximum number of open connections; a controller has fewer.
    static let links = 64
    /// The maximum number of decoded connections of a recording.
    static let numbers = 4096
    static let endedLinks = 8
    /// The maximum number of requests in the air for connections that have not begun.
    static let requests = 32
    /// The maximum length of the data of an extended advertisement, in bytes.
    static let advertisement = 1650
    /// The time after an end in which packets belong to the connection, in microseconds.
    static let afterEnd: Int64 = 50_000
    /// The number of records after an end that may belong to the connection.
    static let recordsAfterEnd = 8
}
