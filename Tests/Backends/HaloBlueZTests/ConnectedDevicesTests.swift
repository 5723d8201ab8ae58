import FakeBlueZ
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Devices that another program is connected to.
@Suite(.takesTurns) struct ConnectedDevicesTests {
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

    @Test func aLinkThatIsNotAdoptedIsNotFound() async throws {
        let bench = try await FaultBench(BlueZOptions(adoptsConnected: false))
        let transport = bench.transport
        _ = try await transport.find(ScanFilter(identities: [FaultBench.identity]))
        bench.fake.connect(FaultBench.identity)
        #expect(
            try await eventually {
                transport.hub.read { session in
                    session.mirror.devices.values.contains(where: \.isConnected)
                }
            })
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
