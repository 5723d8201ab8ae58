/// Waits until something is so that comes by itself, however busy the computer is; when it does
/// not come, the test fails with what was waited for.
///
/// A test that waits without an end keeps its place at the ``Turnstile``, and others wait with it.
/// Time alone is no reason to give up: while other tests keep all threads busy, nobody has looked.
package nonisolated(nonsending) func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), looks: Int = 200,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var count = 0
    while try await !isSo() {
        count += 1
        guard ContinuousClock.now < end || count < looks else { throw NeverSo(what: what()) }
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
