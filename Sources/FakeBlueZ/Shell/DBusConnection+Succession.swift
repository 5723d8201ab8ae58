#if os(Linux)
internal import HaloDBus

extension DBusConnection {
    /// How long a bus may take to notice that somebody is gone.
    private static let succession: Duration = .seconds(10)

    /// Takes a name that is nobody's, and says whether it did. A successor waits for a moment: the
    /// bus may still hold the name for whoever had it before.
    nonisolated(nonsending) func takeName(
        _ name: String, succeeds: Bool
    ) async throws(DBusError) -> Bool {
        let end = ContinuousClock.now + Self.succession
        while try await requestName(name, [.doesNotQueue]) != .owner {
            guard succeeds, ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}
#endif
