/// A record whose id has a name and whose layout is not known: its bytes are passed through.
///
///     → id bytes…
///     ← id bytes…
///
/// Names of raw records come from notes on the vendor's app, where a record does not say
/// otherwise. Which of the two directions a ring knows is not known either.
public protocol RawRecord: BigDataRequestCommand, BigDataReplyCommand {
    /// The bytes that are sent.
    associatedtype Request = RawRecordRequest<Self>
    /// The bytes that a ring sends.
    associatedtype Reply = RawRecordReply<Self>
}

extension RawRecord {
    public static var evidence: Evidence { .vendor }
}
