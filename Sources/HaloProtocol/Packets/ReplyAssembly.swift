/// Joins the frames of one answer.
///
/// A fault is thrown and leaves what was received so far in place: the missing frames can follow.
public protocol ReplyAssembly: Sendable {
    /// The whole answer.
    associatedtype Reply: ManyFrameReply

    /// Starts with nothing received.
    init()

    /// Takes one frame in; answers when it was the last that was needed.
    mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>?

    /// What can be made of the frames that came so far, if anything can.
    var partial: Reply? { get }

    /// Whether a frame of the command is the first one of an answer.
    static func begins(_ frame: Frame) -> Bool

    /// Whether frames of two answers to the same request may be joined: if not, what came is
    /// dropped when the request is sent again, so that no answer is a mixture of two.
    static var joinsAnswers: Bool { get }

    /// The request is sent again: what comes from now on may be of another answer, whose first
    /// frame may be lost.
    mutating func beginAgain()
}

extension ReplyAssembly {
    /// Nothing: half an answer is none.
    public var partial: Reply? { nil }

    /// They may: an assembly that says nothing else notices where two answers differ.
    public static var joinsAnswers: Bool { true }

    /// What may not be joined is dropped.
    public mutating func beginAgain() {
        if !Self.joinsAnswers { self = Self() }
    }
}
