/// An activity that continues until it is cancelled, such as an observation, a scan, a timer or an
/// attempt.
///
/// Dropping the value does not cancel the activity.
public struct BLECancellable: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a cancellable from a function that ends the activity. The function may be called
    /// more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the activity. A callback that is already under way may still come.
    public func cancel() { end() }
}
