/// Takes in what happened between apps and devices.
///
/// Connections are counted from 0 as they are first met, and never used twice; what belongs to
/// none, an advertisement, has the number `noConnection`.
protocol ConversationSink {
    /// Takes in one event; the value is empty where the event has none.
    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int, at place: RecordPlace)
}

/// The number of no connection.
let noConnection = -1
