/// Waits until something is so that comes by itself, however busy the computer is; when it does
/// not come, the test fails with what was waited for.
///
/// A test that waits without an end keeps its place at the ``Turnstile``, and others wait with it.
package nonisolated(nonsending) func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60),
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw NeverSo(what: what()) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Something that was waited for did not come.
package struct NeverSo: Error, CustomStringConvertible {
    /// What it was.
    package let what: String

    /// What it was, in a sentence.
    package var description: String { "It was waited for in vain: \(what)" }
}
