/// An answer that is many frames on the wire. Its description is how captures write it.
public protocol ManyFrameReply: Hashable, Sendable, CustomStringConvertible {
    /// The frames that a ring sends for it.
    var frames: [Frame] { get }
}
