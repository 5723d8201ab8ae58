import FakeBlueZ
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Devices that another program is connected to.
@Suite(.takesTurns) struct ConnectedDevicesTests {
    /// Connects the device for another program, and waits until this one has seen it.
    private static func connectElsewhere(
        _ bench: FaultBench, until isSeen: @escaping @Sendable (BlueZDevice) -> Bool
    ) async throws {
        let transport = bench.transport
        _ = try await transport.find(ScanFilter(identities: [FaultBench.identity]))
        bench.fake.connect(FaultBench.identity)
        #expect(
            try await eventually {
                transport.hub.read { $0.mirror.devices.values.contains(where: isSeen) }
            })
    }

    @Test func findsTheLinkOfAnotherProgramOnly() async throws {
        let bench = try await FaultBench()
        let transport = bench.transport
        let services = [FaultBench.service]
        _ = try await transport.find(ScanFilter(identities: [FaultBench.identity]))
        #expect(try await transport.connectedDevices(with: services) == [])
        bench.fake.connect(FaultBench.identity)
        #expect(
            try await eventually {
                try await transport.connectedDevices(with: services).map(\.identity)
                    == [FaultBench.identity]
            })
        #expect(try await transport.connectedDevices(with: [BluetoothUUID(0x1812)]) == [])
        #expect(try await transport.connectedDevices(with: []) == [])
        let link = try await transport.connect(to: FaultBench.identity)
        #expect(try await transport.connectedDevices(with: services) == [])
        await link.disconnect()
    }

    /// A link that another program uses is not closed: its notifications go on.
    @Test func theLinkOfAnotherProgramIsLeftOpen() async throws {
        let bench = try await FaultBench()
        let link = try await bench.transport.connect(to: FaultBench.identity)
        let second = try await bench.characteristic(.second, link)
        var values = try await link.notifications(of: second).makeAsyncIterator()
        let other = try await BlueZTransport(BlueZOptions(bus: bench.address))
        for round: UInt8 in 1...3 {
            let visit = try await other.connect(to: FaultBench.identity)
            let copies = try await visit.notifications(
                of: try await bench.characteristic(.second, visit))
            let text = try await bench.characteristic(.text, visit)
            #expect(try await visit.read(text) == ContractPeripheral.text)
            await visit.disconnect()
            #expect(visit.disconnectReason?.kind == .local)
            withExtendedLifetime(copies) {}
            #expect(bench.isConnected)
            bench.tell(.send(.second, [round]))
            // The daemon signals a value once for each subscriber, also for one that just leaves.
            var value = try await values.next()?.value
            while value == [round - 1] { value = try await values.next()?.value }
            #expect(value == [round])
        }
        #expect(link.disconnectReason == nil)
        await link.disconnect()
        #expect(try await eventually { !bench.isConnected })
    }

    /// A link that no program uses would block the device for all of them.
    @Test func aLinkThatIsLeftOverIsClosed() async throws {
        let bench = try await FaultBench()
        let transport = bench.transport
        try await Self.connectElsewhere(bench) { $0.isResolved }
        await (try await transport.connect(to: FaultBench.identity)).disconnect()
        #expect(try await eventually { !bench.isConnected })
    }

    @Test func aLinkThatIsNotAdoptedIsNotFound() async throws {
        let bench = try await FaultBench(BlueZOptions(adoptsConnected: false))
        let transport = bench.transport
        try await Self.connectElsewhere(bench) { $0.isConnected }
        #expect(try await transport.connectedDevices(with: [FaultBench.service]) == [])
    }

    @Test func aSwitchedOffAdapterIsAnError() async throws {
        let bench = try await FaultBench()
        let witness = FaultWitness(bench.transport)
        try await Fault.adapterOff.inject(bench)
        #expect(try await witness.notices())
        await #expect(throws: BLEError.self) {
            _ = try await bench.transport.connectedDevices(with: [FaultBench.service])
        }
    }
}
