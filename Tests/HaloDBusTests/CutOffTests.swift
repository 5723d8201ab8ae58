#if os(Linux)
import Testing

@testable import HaloDBus

/// A bus that cuts everybody off.
@Suite(.takesTurns) struct CutOffTests {
    @Test func whoComesAfterwardsIsLetIn() async throws {
        let bus = try PrivateBus()
        for _ in 0..<50 {
            let before = try await bus.connect()
            let ends = Collector<DBusError.Kind>()
            before.onEnd { ends.append($0.kind) }
            bus.disconnectAll()
            let after = try await bus.connect()
            #expect(try await after.names().contains(after.uniqueName ?? ""))
            #expect(try await ends.wait(for: 1) == [.disconnected])
        }
    }
}
#endif
