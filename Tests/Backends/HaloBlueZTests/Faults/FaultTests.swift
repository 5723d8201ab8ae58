import FakeBlueZ
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Each fault at each moment: callers get its error, and the next attempt works.
@Suite("Faults", .takesTurns)
struct FaultTests {
    @Test(
        "the end has its kind, and the next attempt works",
        arguments: Fault.allCases, FaultPhase.allCases)
    func survives(_ fault: Fault, _ moment: FaultPhase) async throws {
        let bench = try await moment.bench()
        let waiting = try await moment.begin(bench)
        let witness = FaultWitness(bench.transport)
        try await fault.inject(bench)
        for task in waiting {
            let error = await task.value
            guard moment != .closing else {
                // That a link closes is what its user wants.
                #expect(error == nil)
                continue
            }
            guard let error = error as? BLEError else {
                Issue.record("no error of Bluetooth: \(String(describing: error))")
                continue
            }
            if moment.isOnLink {
                #expect(error.kind == .disconnected, "\(error)")
                #expect(error.disconnectReason?.kind == fault.reason, "\(error)")
            } else {
                #expect(fault.kinds.contains(error.kind), "\(error)")
                #expect(error.details?.isEmpty == false, "\(error)")
            }
        }
        #expect(try await witness.notices())
        try await meanwhile(fault, bench)
        try await fault.clear(bench)
        bench.fake.quirks = FakeQuirks()
        bench.fake.timing = FakeTiming()
        if fault.isOfAdapter {
            #expect(try await eventually { bench.transport.adapterState == .poweredOn })
        }
        #expect(try await bench.work())
    }

    /// Checks that requests fail at once during a fault, with its error.
    private func meanwhile(_ fault: Fault, _ bench: FaultBench) async throws {
        guard [.daemonKilled, .busEnded, .adapterOff].contains(fault) else { return }
        for _ in 0..<2 {
            let error = await failure {
                _ = try await bench.transport.connect(to: FaultBench.identity)
            }
            // Who waits until the time is over that is allowed has another error.
            let kind = (error as? BLEError)?.kind
            #expect(kind.map { fault.kinds.contains($0) } == true, "\(String(describing: error))")
        }
    }

    @Test("the same link again and again, with another fault each time")
    func survivesOneAfterTheOther() async throws {
        let bench = try await FaultBench()
        for fault in Fault.allCases + Fault.allCases.reversed() {
            let link = try await bench.transport.connect(to: FaultBench.identity)
            let events = link.events()
            let witness = FaultWitness(bench.transport)
            try await fault.inject(bench)
            var iterator = events.makeAsyncIterator()
            while let event = try? await iterator.next() { _ = event }
            #expect(link.disconnectReason?.kind == fault.reason)
            #expect(try await witness.notices())
            try await fault.clear(bench)
            if fault.isOfAdapter {
                #expect(try await eventually { bench.transport.adapterState == .poweredOn })
            }
        }
        #expect(try await bench.work())
    }

    /// A device that goes out of range ends its link.
    @Test(arguments: [FaultPhase.reading, .listening])
    func aDeviceOutOfRangeEndsItsLink(_ moment: FaultPhase) async throws {
        let bench = try await moment.bench()
        let waiting = try await moment.begin(bench)
        bench.fake.setAway(true, for: FaultBench.identity)
        for task in waiting {
            #expect((await task.value as? BLEError)?.disconnectReason?.kind == .remote)
        }
        bench.fake.setAway(false, for: FaultBench.identity)
        #expect(try await bench.work())
    }

    /// The daemon's own attempt goes on while a device is out of range.
    @Test func anAttemptToADeviceOutOfRangeTimesOut() async throws {
        let bench = try await FaultBench(timing: FakeTiming(connecting: .seconds(3600)))
        let attempt = Task {
            try await bench.transport.connect(to: FaultBench.identity, timeout: .seconds(3))
        }
        #expect(try await eventually { bench.fake.attemptCount == 1 })
        bench.fake.setAway(true, for: FaultBench.identity)
        let result = await attempt.result
        let error = #expect(throws: BLEError.self) { try result.get() }
        #expect(error?.kind == .timedOut)
        bench.fake.timing.connecting = .zero
        bench.fake.setAway(false, for: FaultBench.identity)
        #expect(try await bench.work())
    }
}
