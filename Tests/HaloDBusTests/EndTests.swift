#if os(Linux)
import HaloDBus
import Testing

/// Whoever wants to know of a connection's end hears of it, whenever that is asked for.
@Suite("The end of a connection", .takesTurns)
struct EndTests {
    @Test("nobody is forgotten who asks while it ends")
    func tellsEverybody() async throws {
        let bus = try PrivateBus()
        for _ in 0..<300 {
            let connection = try await bus.connect()
            connection.close()
            let told = Collector<Int>()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { connection.onEnd { _ in told.append(number) } }
                }
            }
            #expect(try await told.wait(for: 20).sorted() == Array(0..<20))
            #expect(connection.endError != nil)
        }
    }
}
#endif
