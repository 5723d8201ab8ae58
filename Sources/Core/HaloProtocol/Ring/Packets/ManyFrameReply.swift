/// A reply of many frames. Its description is the text that fixtures and captures show.
public protocol ManyFrameReply: Hashable, Sendable, CustomStringConvertible {
    /// The frames that a ring sends for the reply.
    var frames: [Frame] { get }
}
