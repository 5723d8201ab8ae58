/// Something that goes on until it is cancelled: an observation, a scan, a timer, an attempt.
public struct Registration: Sendable {
    private let end: @Sendable () -> Void

    /// Something that ends by calling a function, which may be called more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends it. What was under way may still come once; nothing comes later.
    public func cancel() { end() }
}
