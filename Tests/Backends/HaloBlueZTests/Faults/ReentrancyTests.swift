import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Programs that make their next request, or end the link, from within a callback.
@Suite("Calls from within callbacks", .takesTurns)
struct ReentrancyTests {
    /// Retains an object that ends when it is released.
    private final class Keeper: Sendable {
        private struct State {
            var kept: [BLECancellable] = []
            var hasEnded = false
        }

        private let state = Locked(State())

        func keep(_ cancellable: BLECancellable) {
            let isLate = state.withLock { state in
                if !state.hasEnded { state.kept.append(cancellable) }
                return state.hasEnded
            }
            if isLate { cancellable.cancel() }
        }

        func cancelAll() {
            let all = state.withLock { state in
                defer { state.kept = [] }
                return state.kept
            }
            for cancellable in all { cancellable.cancel() }
        }

        /// Cancels everything, and what a callback that is under way keeps after it.
        func end() {
            state.withLock { $0.hasEnded = true }
            cancelAll()
        }
    }

    @Test("a scan's report connects, and what connects reads, listens and leaves")
    func goesOnFromWithin() async throws {
        let bench = try await FaultBench()
        let (keeper, end) = (Keeper(), Promise<[UInt8], BLEError>(for: .read, on: SystemTime()))
        let transport = bench.transport
        let hasBegun = Locked(false)
        keeper.keep(
            transport.startScan(ScanFilter(identities: [FaultBench.identity])) { report in
                guard case .success(let discovery) = report,
                    hasBegun.withLock({ isTrue in
                        defer { isTrue = true }
                        return !isTrue
                    })
                else { return }
                // The scan ends within its own report.
                keeper.cancelAll()
                let link = Locked<(any LinkDriver)?>(nil)
                let value = Locked<Result<[UInt8], BLEError>>(
                    .failure(BLEError(.cancelled, .read)))
                keeper.keep(
                    transport.openLink(
                        to: discovery.identity,
                        events: { event in
                            guard case .disconnected = event else { return }
                            link.withLock { $0 = nil }
                            end.resolve(value.withLock { $0 })
                        },
                        completion: { result in
                            guard case .success(let driver) = result else { return }
                            link.withLock { $0 = driver }
                            Self.use(driver) { read in
                                value.withLock { $0 = read }
                                // The end, from within an answer.
                                driver.disconnect()
                            }
                        }))
            })
        #expect(try await end.value() == ContractPeripheral.text)
        keeper.cancelAll()
        #expect(try await bench.work())
    }

    @Test("a request from the callback of the bus's end is not ended with it")
    func asksAnewFromWithin() async throws {
        var quirks = FakeQuirks()
        quirks.connectHangs = true
        let bench = try await FaultBench(quirks: quirks)
        let transport = bench.transport
        let (keeper, failures) = (Keeper(), Locked<[BLEError]>([]))
        keeper.keep(
            transport.submitConnect(to: FaultBench.identity, timeout: .seconds(60)) { _ in
                keeper.keep(
                    transport.startScan(ScanFilter()) { report in
                        if case .failure(let error) = report {
                            failures.withLock { $0.append(error) }
                        }
                    })
            })
        try await eventually("the daemon is asked to connect") {
            transport.hub.read { session in
                session.links.contains(where: \.isAsking)
            }
        }
        let old = try #require(transport.hub.connection())
        old.close()
        try await eventually("there is another connection") {
            failures.withLock { !$0.isEmpty }
                || transport.hub.connection().map { $0 !== old } == true
        }
        #expect(failures.withLock { $0 } == [])
        keeper.cancelAll()
    }

    private static func use(
        _ driver: any LinkDriver,
        _ done: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        driver.discoverServices { services in
            let all = ((try? services.get()) ?? []).flatMap(\.characteristics)
            guard let text = all.first(where: { $0.uuid == ContractAttribute.text.uuid }),
                let second = all.first(where: { $0.uuid == ContractAttribute.second.uuid })
            else { return done(.failure(BLEError(.noSuchAttribute, .read))) }
            driver.setNotify(true, for: second.id) { _ in
                driver.read(text.id) { read in done(read) }
            }
        }
    }

    @Test("observers of the state may scan, cancel and connect at once")
    func actsOnStates() async throws {
        let bench = try await FaultBench()
        let transport = bench.transport
        let (keeper, ends) = (Keeper(), Locked<[BLEError.Kind]>([]))
        let observation = transport.observeAdapter { _ in
            _ = transport.adapterState
            keeper.cancelAll()
            keeper.keep(
                transport.startScan(.all) { report in
                    if case .failure(let error) = report {
                        ends.withLock { $0.append(error.kind) }
                    }
                })
            keeper.keep(
                transport.openLink(
                    to: PeripheralIdentity("C0:DE:00:00:00:66"), events: { _ in },
                    completion: { result in
                        if case .failure(let error) = result {
                            ends.withLock { $0.append(error.kind) }
                        }
                    }))
        }
        for fault in Fault.allCases {
            let before = ends.withLock { $0.count }
            let witness = FaultWitness(transport)
            try await fault.inject(bench)
            #expect(try await witness.notices())
            try await fault.clear(bench)
            if !fault.isOfAdapter {
                // A scan that starts before the transport has found the daemon again still fails.
                let filter = ScanFilter(identities: [FaultBench.identity])
                #expect(
                    try await eventually {
                        (try? await transport.find(filter, timeout: .seconds(60))) != nil
                    })
            }
            #expect(try await eventually { transport.adapterState == .poweredOn })
            #expect(try await eventually { ends.withLock { $0.count } > before })
        }
        observation.cancel()
        keeper.end()
        // The last attempt to connect ends when the daemon has said so.
        #expect(try await eventually { transport.hub.read(\.links.isEmpty) })
        let allowed: [BLEError.Kind] = [.cancelled, .backend, .bluetoothOff, .noBluetooth]
        #expect(ends.withLock { $0.allSatisfy { allowed.contains($0) } })
        #expect(try await bench.work())
    }

    @Test("a link that fails is tried again from within its own failure")
    func triesAgainFromWithin() async throws {
        let bench = try await FaultBench()
        await bench.fake.kill()
        let (keeper, count) = (Keeper(), Locked(0))
        let done = Promise<Void, BLEError>(for: .connect, on: SystemTime())
        @Sendable func attempt() {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= 50 else {
                done.resolve(.success(()))
                return
            }
            keeper.keep(
                bench.transport.openLink(to: FaultBench.identity, events: { _ in }) { _ in
                    attempt()
                })
        }
        attempt()
        try await done.value()
        keeper.cancelAll()
        try await bench.fake.restart()
        #expect(try await bench.work())
    }
}
