/// A record of which only the name is known: its bytes are passed through.
///
///     → id bytes…      not described: kept as they are
///     ← id bytes…      not described: kept as they are
///
/// Names come from notes on the vendor's app, unless a record says otherwise. The direction of a
/// record is not known either. Each has a file of its name, such as ``Location``.
public protocol RawRecord: BigDataRequestCommand, BigDataReplyCommand {
    /// The bytes that are sent.
    associatedtype Request = RawRecordRequest<Self>
    /// The bytes that a ring sends.
    associatedtype Reply = RawRecordReply<Self>
}
