/// A command whose name is known and whose layout is not: its bytes are passed through.
///
///     → op 14 bytes
///     ← op 14 bytes
///
/// Names of raw commands come from notes on the vendor's app. Whether a ring answers, and with
/// the same opcode, is not known where the command does not say so.
public protocol RawCommand: RequestCommand, SingleReplyCommand {
    /// The bytes that are sent.
    associatedtype Request = RawRequest<Self>
    /// The bytes that a ring sends.
    associatedtype Reply = RawReply<Self>
}

extension RawCommand {
    @inlinable public static var evidence: Evidence { .vendor }
}
