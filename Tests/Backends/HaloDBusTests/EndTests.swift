import TestSupport
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

    /// After the end a call fails before it returns; subscriptions and signals are refused.
    @Test func nothingBeginsAfterTheEnd() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let (told, late) = (Collector<Int>(), Collector<DBusError.Kind?>())
        connection.onEnd { _ in told.append(0) }
        connection.close()
        _ = try await told.wait(for: 1)
        connection.call(.bus("GetId")) { late.append($0.failure?.kind) }
        #expect(late.all == [.disconnected])
        let error = #expect(throws: DBusError.self) {
            try connection.subscribe(DBusMatchRule(member: "S")) { _ in late.append(nil) }
        }
        #expect(error?.kind == .disconnected)
        #expect(throws: DBusError.self) {
            try connection.emit(DBusSignal("S", of: "a.b", at: .root))
        }
        #expect(late.all.count == 1 && told.all.count == 1)
    }
}
