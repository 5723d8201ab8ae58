/// A ``DangerousCommand`` whose name is known from vendor notes and whose layout is not; here so
/// that logs can name it.
///
///     → op …                           not described: kept as it is
///     ← op …                           not described: kept as it is
public protocol DangerousRawCommand: DangerousCommand, SingleReplyCommand {
    /// The bytes of a reply.
    associatedtype Reply = PlainReply<Self>
}
