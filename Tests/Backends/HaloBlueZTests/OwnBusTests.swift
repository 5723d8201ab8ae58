import FakeBlueZ
import HaloBlueZ
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.takesTurns) struct OwnBusTests {
    @Test func findsWhatIsOnABusOfThisProgram() async throws {
        let fake = try await FakeBlueZ()
        let worn = fake.add(VirtualRing(.r02))
        let transport = try await BlueZTransport(on: fake.bus)
        let ring = try await Ring.connect(over: transport)
        #expect(worn.isConnected)
        fake.loseLink(worn)
        await #expect(throws: DeviceError.self) { _ = try await ring.battery() }
        // Otherwise it makes its own link again, and the ring is taken.
        await ring.disconnect()
        let again = try await Ring.connect(over: transport)
        #expect(try await again.battery().percent == 80)
        await again.disconnect()
    }

    @Test func saysThatTheBusIsClosed() async throws {
        let bus = try PrivateBus()
        bus.close()
        let error = await #expect(throws: BLEError.self) { _ = try await BlueZTransport(on: bus) }
        #expect(error?.kind == .backend)
    }
}
