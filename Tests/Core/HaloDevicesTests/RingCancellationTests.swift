import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// Every operation cancelled at every moment; afterwards the ring still answers.
@Suite(.passesTime) struct RingCancellationTests {
    typealias Operation = @Sendable (Ring) async throws -> Void

    /// The operations, each with `true` for a sequence, which ends without an error when cancelled.
    static let operations: [(name: String, isEndless: Bool, body: Operation)] = [
        ("battery", false, { _ = try await $0.battery() }),
        ("settings", false, { try await $0.set(.stressLog, to: true) }),
        ("clock", false, { try await $0.setClock() }),
        ("information", false, { _ = try await $0.deviceInformation() }),
        ("sleep", false, { _ = try await $0.log(.sleep) }),
        ("day", false, { _ = try await $0.log(.heartRate, daysAgo: 1) }),
        ("history", false, { _ = try await $0.history(days: 1) }),
        ("find me", false, { try await $0.findMe() }),
        ("measurement", true, { for try await _ in $0.measure(.heartRate) {} }),
        ("reports", true, { for try await _ in $0.reports(of: .stress) {} }),
        ("workout", true, { for try await _ in try await $0.startWorkout(.walk) {} }),
        ("raw sensors", true, { for try await _ in $0.rawSensors {} }),
        ("events", true, { for try await _ in $0.events {} }),
        ("gestures", true, { for try await _ in $0.gestures {} }),
        ("states", true, { for try await _ in $0.connectionStates {} }),
    ]

    /// Runs an operation, cancels it after a virtual time, and returns the kind of its error.
    static func cancel(
        after delay: Duration, on air: VirtualBluetooth,
        _ body: @escaping @Sendable () async throws -> Void
    ) async -> DeviceError.Kind? {
        await withTaskGroup(of: DeviceError.Kind??.self) { group in
            group.addTask { .some(await kind { try await body() }) }
            group.addTask {
                try? await air.clock.sleep(for: delay)
                return nil
            }
            var result: DeviceError.Kind?
            for await end in group {
                if case .some(let kind) = end { result = kind }
                group.cancelAll()
            }
            return result
        }
    }

    @Test(arguments: operations.indices)
    func anOperationIsCancelledAtEveryMoment(_ index: Int) throws {
        let operation = Self.operations[index]
        try virtually { air in
            let bench = try await RingBench.connected(in: air, .r12)
            let ring = bench.ring
            var cancelled = 0
            for step in 0..<60 {
                let delay = Duration.milliseconds(step < 40 ? step * 9 : (step - 38) * 400)
                let result = await Self.cancel(after: delay, on: air) {
                    try await operation.body(ring)
                }
                #expect(result == nil || result == .cancelled, "\(operation.name), \(delay)")
                if result == .cancelled { cancelled += 1 }
                #expect(try await ring.battery().percent > 0, "\(operation.name), \(delay)")
            }
            #expect(cancelled > 0 || operation.isEndless)
            try await bench.pass(.seconds(5))
            #expect(bench.worn.state?.link?.measurement == nil)
            #expect(bench.worn.state?.workout == nil)
            #expect(bench.worn.state?.link?.rawStream == nil)
            #expect(bench.worn.state?.isCameraOpen == false)
        }
    }

    @Test func connectingIsCancelledAtEveryMoment() throws {
        try virtually(seed: 3) { air in
            let worn = air.add(VirtualRing(.r10, days: 1))
            for step in 0..<150 {
                let result = await Self.cancel(after: .milliseconds(step * 17), on: air) {
                    let ring = try await Ring.connect(over: air)
                    await ring.disconnect()
                }
                #expect(result == nil || result == .cancelled, "after \(step * 17) ms")
                try await air.clock.sleep(for: .milliseconds(500))
                #expect(!worn.isConnected, "after \(step * 17) ms")
            }
            let ring = try await Ring.connect(over: air)
            #expect(try await ring.battery().percent == 80)
        }
    }

    @Test func theHistoryBeforeTheClockChangeIsCancelledAtEveryMoment() throws {
        for step in 0..<40 {
            try virtually(seed: 3) { air in
                let device = VirtualRingOptions(clock: .off(seconds: -9 * 86_400))
                let worn = air.add(VirtualRing(.r10, days: 1, options: device))
                let result = await Self.cancel(after: .milliseconds(step * 200), on: air) {
                    let ring = try await Ring.connect(over: air)
                    await ring.disconnect()
                }
                #expect(result == nil || result == .cancelled)
                try await air.clock.sleep(for: .seconds(1))
                #expect(!worn.isConnected)
            }
        }
    }

    @Test func aTaskThatWasCancelledBeforeSendsNoRequest() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let time = air.time.now()
            for operation in Self.operations {
                let result = await withTaskGroup(of: DeviceError.Kind?.self) { group in
                    group.addTask {
                        withUnsafeCurrentTask { $0?.cancel() }
                        return await kind { try await operation.body(ring) }
                    }
                    return await group.next() ?? nil
                }
                #expect(result == nil || result == .cancelled, "\(operation.name)")
            }
            #expect(air.time.now() == time)
            #expect(try await ring.battery().percent == 80)
        }
    }
}
