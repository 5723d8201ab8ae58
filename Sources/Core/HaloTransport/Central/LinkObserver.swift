/// A function that receives the entries of a link's log at once, on any thread.
public typealias LinkObserver = @Sendable (LinkTrace) -> Void
