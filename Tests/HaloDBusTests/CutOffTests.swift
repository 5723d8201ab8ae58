#if os(Linux)
import Testing

@testable import HaloDBus

/// A bus that cuts everybody off.
@Suite(.takesTurns) struct CutOffTests {
    @Test func whoComesAfterwardsIsLetIn() async throws {
        let bus = try PrivateBus()
        for _ in 0..<50 {
            let before = try await bus.connect()
            let ended = DBusAnswer<Void>()
            before.onEnd { _ in ended.resolve(.success(())) }
            bus.disconnectAll()
            let after = try await bus.connect()
            #expect(try await after.names().contains(after.uniqueName ?? ""))
            try await ended.value()
        }
    }
}
#endif
