import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Faults while this computer hosts a device.
@Suite("Faults while hosting", .takesTurns)
struct HostingFaultTests {
    private static let filter = ScanFilter(services: [ContractAttribute.service])

    /// The central's operation.
    enum Moment: CaseIterable, Sendable {
        case nobodyThere, connected, reading, listening
    }

    /// A bench with a device on the other adapter, and without the usual device in range.
    private func bench() async throws -> (FaultBench, BlueZTransport) {
        let bench = try await FaultBench(BlueZOptions(adapter: "hci0"))
        bench.fake.setAway(true, for: FaultBench.identity)
        let central = try await BlueZTransport(
            BlueZOptions(adapter: "hci1", bus: bench.address))
        return (bench, central)
    }

    private func begin(
        _ moment: Moment, _ central: BlueZTransport
    ) async throws -> [FaultPhase.Waiting] {
        guard moment != .nobodyThere else { return [] }
        let link = try await central.connect(to: try await central.find(Self.filter))
        func find(_ attribute: ContractAttribute) async throws -> GATTCharacteristic {
            try await link.characteristic(attribute.uuid, of: ContractAttribute.service)
        }
        switch moment {
        case .nobodyThere, .connected:
            let events = link.events()
            return [
                FaultPhase.Waiting {
                    // The sequence ends with the link.
                    _ = await failure { for try await _ in events {} }
                    return BLEError(
                        .disconnected, .receive, disconnectReason: link.disconnectReason)
                }
            ]
        case .reading:
            let silent = try await find(.silent)
            let reading = FaultPhase.Waiting {
                await failure { while true { try await Self.read(silent, link) } }
            }
            let isAsked = try await eventually {
                central.hub.read { session in
                    session.links.contains { $0.running != nil }
                }
            }
            guard isAsked else { throw FaultPhase.NotReached() }
            return [reading]
        case .listening:
            let values = try await link.notifications(of: try await find(.second))
            return [FaultPhase.Waiting { await failure { for try await _ in values {} } }]
        }
    }

    /// Reads a value. The daemon answers for a silent device after a while; then it accepts
    /// requests again.
    private static func read(
        _ silent: GATTCharacteristic, _ link: BLELink
    ) async throws(BLEError) {
        do throws(BLEError) {
            _ = try await link.read(silent)
        } catch {
            guard error.kind == .refused else { throw error }
        }
    }

    /// Checks that a central finds the device, and can use it.
    private func isUsable(from central: BlueZTransport) async throws -> Bool {
        let link = try await central.connect(to: try await central.find(Self.filter))
        let text = try await link.characteristic(
            ContractAttribute.text.uuid, of: ContractAttribute.service)
        let isRead = try await link.read(text) == ContractPeripheral.text
        await link.disconnect()
        return isRead
    }

    @Test(
        "a device outlives the daemon and the adapter, and the bus ends it with an error",
        arguments: Fault.allCases, Moment.allCases)
    func survives(_ fault: Fault, _ moment: Moment) async throws {
        let (bench, central) = try await bench()
        var hosted = try await bench.transport.host(ContractPeripheral())
        let waiting = try await begin(moment, central)
        if moment != .nobodyThere { #expect(try await eventually { hosted.isConnected }) }
        // The central's own adapter is well.
        let witness = FaultWitness(fault.isOfAdapter ? bench.transport : central)
        try await fault.inject(bench)
        for task in waiting {
            let error = await task.value as? BLEError
            #expect(error?.kind == .disconnected)
            // Its own adapter is well: for the central, the device has gone.
            #expect(error?.disconnectReason?.kind == (fault.isOfAdapter ? .remote : .backendGone))
        }
        #expect(try await eventually { !hosted.isConnected && !hosted.state.isConnected })
        #expect(try await witness.notices())
        if fault.isOfBus {
            let error = await hosted.waitUntilEnded()
            #expect(error?.kind == .backend)
            #expect(error?.operation == .host)
        }
        try await fault.clear(bench)
        bench.fake.setAway(true, for: FaultBench.identity)
        if fault.isOfBus { hosted = try await bench.transport.host(ContractPeripheral()) }
        #expect(try await isUsable(from: central))
        await hosted.remove()
        #expect(await hosted.waitUntilEnded() == nil)
        // It can be there again.
        let next = try await bench.transport.host(ContractPeripheral())
        #expect(try await isUsable(from: central))
        await next.remove()
    }

    /// A request while the daemon is away, or during a registration.
    @Test(
        "a fault during the registration is reported, and the next attempt works",
        arguments: [false, true])
    func saysWhy(_ isBus: Bool) async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        daemon.state.withLock { $0.isSilent = true }
        let connection = try await bus.connect()
        let hosting = Task { try await HostingBench.host(connection) }
        #expect(try await eventually { !daemon.state.withLock { $0.unanswered.isEmpty } })
        if isBus { bus.disconnectAll() } else { daemon.connection.close() }
        let error = await failure { _ = try await hosting.value }
        #expect((error as? BLEError)?.kind == .backend, "\(String(describing: error))")
        #expect((error as? BLEError)?.operation == .host)
        let next = try await HostingDaemon(on: bus)
        let again = isBus ? try await bus.connect() : connection
        let hosted = try await HostingBench.host(again)
        #expect(next.calls.contains(GattManager1.registerApplication))
        await hosted.remove()
    }
}
