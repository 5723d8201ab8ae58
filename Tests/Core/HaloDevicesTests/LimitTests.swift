import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Timeouts that a program makes itself, by sleeping in another task: they end only after that much
/// virtual time.
@Suite(.passesTime) struct LimitTests {
    @Test func aTimeoutDoesNotEndBeforeTheReply() async throws {
        var late = 0
        for seed in 0..<10 {
            let bench = try await RingBench.connected(days: 1, seed: UInt64(seed))
            let (air, ring) = (bench.air, bench.ring)
            for _ in 0..<20 {
                let isInTime = await withTaskGroup(of: Bool.self) { group in
                    group.addTask { (try? await air.clock.sleep(for: .seconds(10))) == nil }
                    group.addTask { (try? await ring.battery()) != nil }
                    defer { group.cancelAll() }
                    return await group.next() ?? false
                }
                if !isInTime { late += 1 }
            }
        }
        #expect(late == 0)
    }

    @Test func manyRequestsAtOnceAreAllInTime() async throws {
        let bench = try await RingBench.connected(days: 1)
        let ring = bench.ring
        var before = bench.air.time.now()
        for _ in 0..<3 {
            let kinds = await withTaskGroup(of: DeviceError.Kind?.self) { group in
                for turn in 0..<30 {
                    group.addTask {
                        for _ in 0..<turn % 4 { await Task.yield() }
                        return await kind { _ = try await ring.battery() }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(kinds.allSatisfy { $0 == nil })
            let now = bench.air.time.now()
            #expect(now.duration(since: before) < .seconds(60))
            before = now
        }
    }
}
