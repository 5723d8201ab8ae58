extension Result {
    /// Calls a function; returns its value, or its error.
    nonisolated(nonsending) static func catching(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Success
    ) async -> Result {
        do throws(Failure) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
