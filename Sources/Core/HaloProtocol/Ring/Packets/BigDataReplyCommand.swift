/// A big-data command with replies, or a record that a ring pushes.
public protocol BigDataReplyCommand: BigDataCommand {
    /// The record that a ring sends.
    associatedtype Reply: BigDataReply
}
