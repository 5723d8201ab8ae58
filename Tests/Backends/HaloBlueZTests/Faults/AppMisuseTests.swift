import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Programs that release, cancel and repeat at any time.
@Suite("Careless programs", .takesTurns)
struct AppMisuseTests {
    @Test("a link goes on when its transport is dropped, and everything goes when the link does")
    func dropsTheTransport() async throws {
        let fake = try await FakeBlueZ()
        let device = fake.add(ContractPeripheral())
        let identity = try #require(device.identity)
        let address = try fake.listen()
        weak var hub: BlueZHub?
        do {
            var transport: BlueZTransport? = try await BlueZTransport(BlueZOptions(bus: address))
            hub = transport?.hub
            let link = try #require(try await transport?.connect(to: identity))
            transport = nil
            let text = try await link.characteristic(
                ContractAttribute.text.uuid, of: ContractAttribute.service)
            #expect(try await link.read(text) == ContractPeripheral.text)
            #expect(hub != nil)
        }
        #expect(try await eventually { !device.isConnected && hub == nil })
    }

    @Test("pending calls complete when everything is released")
    func dropsEverything() async throws {
        let bench = try await FaultBench()
        let fake = bench.fake
        let options = BlueZOptions(bus: bench.address)
        let reading: Task<[UInt8], any Error>
        let scanning: Task<Discovery, any Error>
        do {
            let transport = try await BlueZTransport(options)
            let link = try await transport.connect(to: FaultBench.identity)
            let silent = try await bench.characteristic(.silent, link)
            reading = Task { try await link.read(silent) }
            scanning = Task { [transport] in
                try await transport.find(ScanFilter(namePrefix: "nobody"), timeout: .seconds(60))
            }
            #expect(
                try await eventually {
                    transport.hub.read { session in
                        session.links.contains { $0.running != nil }
                            && session.discovery.isRunning
                    }
                })
        }
        reading.cancel()
        scanning.cancel()
        for error in [
            await failure { _ = try await reading.value },
            await failure { _ = try await scanning.value },
        ] {
            #expect((error as? BLEError)?.kind == .cancelled)
        }
        // The device is free again.
        #expect(try await eventually { bench.isFree })
        #expect(try await bench.work())
        withExtendedLifetime(fake) {}
    }

    @Test("a program may cancel at every stage")
    func cancelsAtEveryStage() async throws {
        let bench = try await FaultBench()
        let stages: [@Sendable (LinkMachine) -> Bool] = [
            { $0.name == .connecting }, { $0.name == .open }, { $0.link?.attributes != nil },
            { $0.link?.subscriptions.isEmpty == false }, { $0.name == .disconnecting },
        ]
        for step in 0..<60 {
            let hasEnded = Locked(false)
            let task = Task {
                defer { hasEnded.withLock { $0 = true } }
                return try await bench.work()
            }
            if step % 2 == 0 {
                for _ in 0..<step * 2 { await Task.yield() }
            } else {
                let stage = stages[step / 2 % stages.count]
                _ = try await eventually {
                    hasEnded.withLock { $0 }
                        || bench.transport.hub.read { $0.links.contains(where: stage) }
                }
            }
            task.cancel()
            let error = await failure { _ = try await task.value }
            if let error = error as? BLEError {
                let isToldSo =
                    error.kind == .cancelled
                    || error.kind == .disconnected && error.disconnectReason?.kind == .local
                #expect(isToldSo, "\(error)")
            }
        }
        #expect(
            try await eventually {
                bench.transport.hub.read {
                    $0.links.entries.isEmpty && $0.discovery.scans.isEmpty
                        && $0.adapters.waiting.isEmpty
                }
            })
        #expect(try await bench.work())
    }

    @Test("two transports share an adapter and a device, and the end of one link ends the other")
    func usesTwoTransports() async throws {
        let bench = try await FaultBench()
        let other = try await BlueZTransport(BlueZOptions(bus: bench.address))
        let filter = ScanFilter(identities: [FaultBench.identity])
        async let first = bench.transport.find(filter)
        async let second = other.find(filter)
        #expect(try await first.identity == second.identity)
        let link = try await bench.transport.connect(to: FaultBench.identity)
        let twin = try await other.connect(to: FaultBench.identity)
        let values = try await link.notifications(of: try await bench.characteristic(.second, link))
        let copies = try await twin.notifications(of: try await bench.characteristic(.second, twin))
        bench.tell(.send(.second, [5]))
        for sequence in [values, copies] {
            var iterator = sequence.makeAsyncIterator()
            #expect(try await iterator.next()?.value == [5])
        }
        let text = try await bench.characteristic(.text, twin)
        #expect(try await twin.read(text) == ContractPeripheral.text)
        await link.disconnect()
        var iterator = copies.makeAsyncIterator()
        let error = await failure { while try await iterator.next() != nil {} }
        #expect((error as? BLEError)?.disconnectReason?.kind == .remote)
        #expect(try await bench.work())
        let refusing = try await BlueZTransport(
            BlueZOptions(bus: bench.address, adoptsConnected: false))
        #expect(try await eventually { bench.isFree(for: other) })
        let again = try await other.connect(to: FaultBench.identity)
        #expect(
            try await eventually {
                refusing.hub.read { session in
                    session.mirror.devices.values.contains { $0.isConnected }
                }
            })
        let refusal = await failure { _ = try await refusing.connect(to: FaultBench.identity) }
        #expect((refusal as? BLEError)?.kind == .alreadyConnected)
        await again.disconnect()
    }

    @Test("of many tasks one connects to a device, and the others get an error")
    func connectsTooOften() async throws {
        let bench = try await FaultBench()
        let results = await withTaskGroup(of: Result<BLELink, BLEError>.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(BLEError) {
                        return .success(
                            try await bench.transport.connect(to: FaultBench.identity))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let links = results.compactMap { try? $0.get() }
        #expect(links.count == 1)
        for case .failure(let error) in results { #expect(error.kind == .alreadyConnected) }
        await links.first?.disconnect()
        #expect(try await bench.work())
    }

    @Test("two devices are connected to at once")
    func connectsToTwo() async throws {
        let bench = try await FaultBench()
        let second = bench.fake.add(ContractPeripheral())
        let identity = try #require(second.identity)
        for _ in 0..<3 {
            async let one = bench.transport.connect(to: FaultBench.identity)
            async let other = bench.transport.connect(to: identity)
            let links = try await [one, other]
            for link in links {
                let text = try await bench.characteristic(.text, link)
                #expect(try await link.read(text) == ContractPeripheral.text)
            }
            async let end: Void = links[0].disconnect()
            async let otherEnd: Void = links[1].disconnect()
            _ = await (end, otherEnd)
        }
    }
}
