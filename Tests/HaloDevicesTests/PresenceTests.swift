import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// Which devices are in reach, over a virtual air.
@Suite(.timeLimit(.minutes(20))) struct PresenceTests {
    @Test func aRingThatLeavesIsLostAndComesBack() throws {
        try virtually { (air: VirtualBluetooth) async throws -> Void in
            let worn = air.add(VirtualRing(.r02, wearer: Wearer(seed: 1)))
            var changes = air.presence(lostAfter: .seconds(10), rssiStep: 100).makeAsyncIterator()
            func next() async throws -> PresenceChange.Kind? {
                while let change = try await changes.next() {
                    #expect(change.discovery.identity == worn.identity)
                    if change.kind != .updated { return change.kind }
                }
                return nil
            }
            #expect(try await next() == .discovered)
            let left = air.time.now()
            worn.moveAway()
            #expect(try await next() == .lost)
            let wait = air.time.now().duration(since: left)
            #expect(wait > .seconds(9) && wait < .seconds(12), "\(wait)")
            worn.comeBack()
            #expect(try await next() == .discovered)
        }
    }
}
