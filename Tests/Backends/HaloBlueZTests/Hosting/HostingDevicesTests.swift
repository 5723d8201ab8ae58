import FakeBlueZ
import HaloBlueZ
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@Suite(
    "Devices that we host, met over the air of a fake daemon", .takesTurns
) struct HostingDevicesTests {
    let fake: FakeBlueZ
    let bus: String

    init() async throws {
        fake = try await FakeBlueZ(adapters: 2)
        bus = try fake.listen()
    }

    private func transport(_ adapter: String) async throws -> BlueZTransport {
        try await BlueZTransport(BlueZOptions(adapter: adapter, bus: bus))
    }

    @Test("a ring")
    func ring() async throws {
        // Nobody holds the transport: the device goes on.
        let hosted = try await transport("hci1").host(VirtualRing(.r02))
        let ring = try await Ring.connect(over: try await transport("hci0"))
        #expect(ring.identity == hosted.identity)
        guard case .value = try await ring.ask(Battery.Request()) else {
            Issue.record("the ring has no battery")
            return
        }
        #expect(hosted.isConnected)
        await ring.disconnect()
        #expect(try await eventually { !hosted.isConnected })
        await hosted.remove()
    }

    @Test("a heart-rate strap")
    func strap() async throws {
        let hosted = try await transport("hci1").host(
            VirtualHeartRateSensor(beatsPerMinute: 61))
        let strap = try await HeartRateSensor.connect(over: try await transport("hci0"))
        for try await measured in strap.measurements {
            #expect((50...70).contains(measured.beatsPerMinute))
            break
        }
        await strap.disconnect()
        await hosted.remove()
    }

    @Test("a device to which the same transport connects is not taken for a central")
    func isNotItsOwnCentral() async throws {
        fake.add(ContractPeripheral())
        let both = try await transport("hci0")
        let hosted = try await both.host(VirtualHeartRateSensor(beatsPerMinute: 61))
        let filter = ScanFilter(services: [ContractAttribute.service])
        let link = try await both.connect(to: try await both.find(filter))
        let text = try await link.characteristic(
            ContractAttribute.text.uuid, of: ContractAttribute.service)
        #expect(try await link.read(text) == ContractPeripheral.text)
        #expect(!hosted.isConnected)
        await link.disconnect()
        await hosted.remove()
    }

    @Test("a ring's strap, on the adapter that is connected to the ring")
    func servesARing() async throws {
        let worn = fake.add(VirtualRing(.r02))
        let both = try await transport("hci1")
        let ring = try await Ring.connect(over: both)
        let hosted = try await both.host(HeartRateBroadcast())
        let strap = try await HeartRateSensor.connect(over: try await transport("hci0"))
        #expect(strap.identity == hosted.identity)
        var measurements = strap.measurements.makeAsyncIterator()
        #expect(try await measurements.next()?.isTouchingSkin == false)
        // The ring that connects again is not taken for the strap's central.
        fake.loseLink(worn)
        #expect(try await eventually { !ring.connectionState.isConnected })
        try await ring.waitUntilConnected()
        #expect(hosted.isConnected && hosted.state.isSubscribed)
        hosted.modify { $0.receive(HeartRateReading(beatsPerMinute: 72)) }
        while let next = try await measurements.next(), !next.isWorn {}
        #expect(try await measurements.next()?.beatsPerMinute == 72)
        await strap.disconnect()
        #expect(try await eventually { !hosted.state.isSubscribed })
        await hosted.remove()
        #expect(ring.connectionState.isConnected)
        await ring.disconnect()
    }

    @Test("a link without a signal, and replies in place of the device")
    func hasADaemonThatIsWordy() async throws {
        fake.quirks.concealsConnected = true
        fake.quirks.answersForPrograms = true
        let central = try await transport("hci0")
        let hosted = try await transport("hci1").host(ContractPeripheral())
        let filter = ScanFilter(services: [ContractAttribute.service])
        for number in UInt8(1)...3 {
            let link = try await central.connect(to: try await central.find(filter))
            let text = try await link.characteristic(
                ContractAttribute.text.uuid, of: ContractAttribute.service)
            #expect(try await link.read(text) == ContractPeripheral.text)
            let record = try await link.characteristic(
                ContractAttribute.record.uuid, of: ContractAttribute.service)
            try await link.write([number], to: record)
            #expect(try await eventually { hosted.state.written.last == [number] })
            await link.disconnect()
        }
        await hosted.remove()
    }

    @Test("what is removed is not there any more, and can be there again")
    func removes() async throws {
        let device = try await transport("hci1")
        let central = try await transport("hci0")
        let filter = ScanFilter(services: [ContractAttribute.service])
        for _ in 0..<3 {
            let hosted = try await device.host(ContractPeripheral())
            let link = try await central.connect(to: try await central.find(filter))
            let text = try await link.characteristic(
                ContractAttribute.text.uuid, of: ContractAttribute.service)
            #expect(try await link.read(text) == ContractPeripheral.text)
            #expect(hosted.isConnected)
            await hosted.remove()
            #expect(await hosted.waitUntilEnded() == nil)
            #expect(try await eventually { link.disconnectReason != nil })
        }
    }

    @Test("a program's device ends with its connection to the bus")
    func leaves() async throws {
        let bus = self.bus
        let central = try await transport("hci0")
        let device = try await transport("hci1")
        let connection = try await DBusConnection.connect(to: try DBusAddress.list(bus))
        _ = device
        let hosted = try await HostingBench.host(
            connection, HostingOptions(), BlueZOptions(adapter: "hci1"))
        let filter = ScanFilter(services: [ContractAttribute.service])
        let link = try await central.connect(to: try await central.find(filter))
        connection.close()
        #expect(try await eventually { link.disconnectReason != nil || !hosted.isConnected })
        #expect(await hosted.waitUntilEnded()?.kind == .backend)
    }

    @Test("a daemon that is killed and started again has it again")
    func survivesTheDaemon() async throws {
        let hosted = try await transport("hci1").host(ContractPeripheral())
        for _ in 0..<3 {
            let central = try await transport("hci0")
            let filter = ScanFilter(services: [ContractAttribute.service])
            let link = try await central.connect(to: try await central.find(filter))
            let text = try await link.characteristic(
                ContractAttribute.text.uuid, of: ContractAttribute.service)
            #expect(try await link.read(text) == ContractPeripheral.text)
            #expect(hosted.isConnected)
            await fake.kill()
            #expect(try await eventually { !hosted.isConnected })
            try await fake.restart()
        }
        await hosted.remove()
    }

    @Test("an adapter that is pulled out and plugged in again has it again")
    func survivesTheAdapter() async throws {
        let hosted = try await transport("hci1").host(ContractPeripheral())
        fake.removeAdapter(1)
        fake.addAdapter(1)
        let central = try await transport("hci0")
        let filter = ScanFilter(services: [ContractAttribute.service])
        let link = try await central.connect(to: try await central.find(filter))
        #expect(try await eventually { hosted.isConnected })
        await link.disconnect()
        await hosted.remove()
    }
}
