#if os(Linux)
import HaloDBus
import Testing

/// Whoever wants to know of a connection's end hears of it, whenever that is asked for.
@Suite("The end of a connection", .timeLimit(.minutes(10)), .takesTurns)
struct EndTests {
    /// Who is forgotten waits for ever.
    @Test("nobody is forgotten who asks while it ends")
    func tellsEverybody() async throws {
        let bus = try PrivateBus()
        for _ in 0..<300 {
            let connection = try await bus.connect()
            connection.close()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                            connection.onEnd { _ in done.resume() }
                        }
                    }
                }
            }
            #expect(connection.endError != nil)
        }
    }
}
#endif
