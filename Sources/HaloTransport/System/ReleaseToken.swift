/// Calls a function when nobody holds it any more.
final class ReleaseToken: Sendable {
    private let release: @Sendable () -> Void

    /// What is to be done in the end.
    init(_ release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
