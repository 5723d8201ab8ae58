import FakeBlueZ
import Foundation
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Thousands of links leave nothing behind. The figures would be exact in a process of their own;
/// beside other suites they have a margin.
@Suite("Endurance", .serialized, .takesTurns(limit: .seconds(3600)))
struct EnduranceTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// The number of links.
    private static let cycles = environment["HALO_LINK_CYCLES"].flatMap { Int($0) } ?? 500

    private static let devices = 25

    /// The program's memory in bytes, by the system.
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4096
    }

    private static func openSockets() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count
    }

    /// Keeps no reference.
    private final class Witness: Sendable {
        private struct Weak: Sendable { weak let link: BLELink? }
        private let links = Locked<[Weak]>([])

        func see(_ link: BLELink) { links.withLock { $0.append(Weak(link: link)) } }

        var alive: Int { links.withLock { $0.filter { $0.link != nil }.count } }
    }

    /// Makes, uses and ends a link in one of several ways.
    private static func cycle(
        _ number: Int, _ transport: BlueZTransport, _ fake: FakeBlueZ,
        _ device: Hosted<ContractPeripheral>, _ witness: Witness
    ) async throws {
        let identity = try #require(device.identity)
        let link = try await transport.connect(to: identity, timeout: .seconds(30))
        witness.see(link)
        // Each third ends before its services are known.
        guard number % 3 > 0 else { return await link.disconnect() }
        let second = try await link.characteristic(
            ContractAttribute.second.uuid, of: ContractAttribute.service)
        let values = try await link.notifications(of: second)
        device.modify { $0.instructions.append(.send(.second, [1])) }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.value == [1])
        if number % 2 == 0 {
            fake.loseLink(identity)
            while (try? await iterator.next()) != nil {}
            #expect(link.disconnectReason?.kind == .remote)
        } else {
            await link.disconnect()
        }
    }

    private static func run(
        _ cycles: Int, _ transport: BlueZTransport, _ fake: FakeBlueZ,
        _ devices: [Hosted<ContractPeripheral>], _ witness: Witness
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    for number in 0..<cycles / devices.count {
                        try await cycle(number, transport, fake, device, witness)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("links that come and go take neither memory nor descriptors")
    func leavesNothing() async throws {
        let fake = try await FakeBlueZ()
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        let devices = (0..<Self.devices).map {
            fake.add(ContractPeripheral(), address: "C0:DE:00:00:10:\(10 + $0)")
        }
        let witness = Witness()
        let half = Self.cycles / 2
        // A first part, after which everything has the size that it needs.
        try await Self.run(half, transport, fake, devices, witness)
        #expect(try await eventually { witness.alive == 0 })
        let (bytes, sockets) = (Self.residentBytes(), Self.openSockets())
        let start = ContinuousClock.now
        try await Self.run(half, transport, fake, devices, witness)
        #expect(try await eventually { witness.alive == 0 })
        let grown = Self.residentBytes() - bytes
        if Self.environment["HALO_LINK_CYCLES"] != nil {
            let each = start.duration(to: .now) / max(half, 1)
            print(
                "\(half) links: \(each) each, \(grown / 1024) KiB more memory,",
                "\(Self.openSockets() - sockets) more descriptors")
            // Alone in its process.
            #expect(Self.openSockets() <= sockets)
            #expect(grown < max(half * 256, 10 << 20))
        }
        // The last callbacks may still be under way.
        #expect(try await eventually { transport.hub.read { $0.effectCount } == 0 })
        transport.hub.read { session in
            #expect(session.links.entries.isEmpty)
            #expect(session.links.byDevice.isEmpty)
            #expect(session.links.sources.isEmpty)
            #expect(session.links.listening.isEmpty)
            #expect(session.discovery.scans.isEmpty)
        }
    }
}
