#if os(Linux)
import HaloTesting
import Testing

@testable import HaloDBus

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

    /// Nothing is called on the thread of whoever asks: he is told that there is no other.
    @Test func whatComesTooLateIsRefusedAndNotRun() async throws {
        let connection = try await PrivateBus().connect()
        let (ran, told, late) = (Collector<Int>(), Collector<Int>(), Collector<Int>())
        #expect(connection.perform { ran.append(1) })
        #expect(try await ran.wait(for: 1) == [1])
        connection.onEnd { _ in told.append(0) }
        connection.close()
        _ = try await told.wait(for: 1)
        try await eventually("the thread has ended") { !connection.perform { ran.append(2) } }
        #expect(!connection.perform { late.append(1) })
        let error = #expect(throws: DBusError.self) {
            try connection.begin(.bus("GetId")) { _ in late.append(2) }
        }
        #expect(error?.kind == .disconnected)
        // Who asks in the usual way is told before that returns.
        connection.call(.bus("GetId")) { _ in late.append(3) }
        #expect(late.all == [3])
    }
}
#endif
