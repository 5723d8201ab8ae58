#if os(Linux)
import _HaloTestPlumbing
import Testing

@testable import HaloDBus

/// `onEnd` handlers are called, whenever they are added.
@Suite("The end of a connection", .takesTurns)
struct EndTests {
    @Test("handlers that are added during the end are called")
    func callsAllHandlers() async throws {
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

    /// `perform` after the end refuses, and runs nothing on the calling thread.
    @Test func workAfterTheEndIsRefusedAndNotRun() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
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
        // An ordinary call fails before it returns.
        connection.call(.bus("GetId")) { _ in late.append(3) }
        #expect(late.all == [3])
    }
}
#endif
