import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// An adapter that other programs use too: they connect to it, and switch it off.
@Suite("A hosted device among others", .takesTurns) struct HostingSharedAdapterTests {
    private let bench: HostingBench

    init() async throws { bench = try await HostingBench() }

    private static let keyboard = HostingDaemon.path("/org/bluez/hci7/dev_00_AA_01_00_00_03")

    @Test("a device that may be a keyboard is not disconnected", arguments: [false, true])
    func leavesGuessesAlone(_ isToldByDevice: Bool) async throws {
        try bench.daemon.add(Self.keyboard, connected: false)
        try bench.daemon.set(Self.keyboard, connected: true)
        #expect(try await eventually { bench.hosted.isConnected })
        if isToldByDevice {
            bench.tell(.disconnect)
            #expect(try await eventually { !bench.hosted.isConnected })
        }
        await bench.hosted.remove()
        #expect(!bench.daemon.calls.contains(Device1.disconnect))
    }

    @Test("the only connected device is the subscriber")
    func believesTheSubscriber() async throws {
        try bench.daemon.add(connected: false)
        try bench.daemon.set(connected: true)
        _ = try await bench.daemon.ask(
            GattCharacteristic1.startNotify, of: ContractAttribute.second.uuid)
        await bench.hosted.remove()
        #expect(bench.daemon.calls.contains(Device1.disconnect))
    }

    @Test("subscriptions from before the central was known are the central's")
    func keepsSubscriptions() async throws {
        try bench.daemon.add(Self.keyboard, connected: false)
        try bench.daemon.add(connected: false)
        try bench.daemon.set(Self.keyboard, connected: true)
        try bench.daemon.set(connected: true)
        #expect(try await eventually { bench.hosted.isConnected })
        _ = try await bench.daemon.ask(
            GattCharacteristic1.startNotify, of: ContractAttribute.second.uuid)
        _ = try await bench.daemon.ask(
            GattCharacteristic1.readValue, of: ContractAttribute.text.uuid,
            options: HostingDaemon.options())
        let told = bench.hosted.state.subscriptions
        #expect(told.map(\.attribute) == [.second, .second] && told.allSatisfy(\.isOn))
        #expect(bench.hosted.state.connections == 2)
        await bench.hosted.remove()
    }

    @Test("the device gets no request that its properties forbid", arguments: [nil, "command"])
    func refusesWrites(_ type: String?) async throws {
        try bench.daemon.add(connected: true)
        let options = type.map { [AttributeOption.type: DBusValue.string($0)] } ?? [:]
        for attribute in [ContractAttribute.text, .second] {
            let error = await #expect(throws: DBusError.self) {
                try await bench.daemon.ask(
                    GattCharacteristic1.writeValue, of: attribute.uuid, [.bytes([1])],
                    options: HostingDaemon.options(options))
            }
            #expect(error?.name == BlueZErrorName.notPermitted)
        }
        #expect(bench.hosted.state.written.isEmpty)
        await bench.hosted.remove()
    }

    @Test("a daemon that comes back with its adapter off is waited for")
    func waitsForPower() async throws {
        bench.daemon.connection.close()
        let next = try await HostingDaemon(on: bench.daemon.bus, powered: false)
        #expect(try await bench.adapterIsKnownToBeOff())
        #expect(next.calls.isEmpty)
        try next.connection.set(
            [Adapter1.powered: .boolean(true)], of: Adapter1.interfaceName,
            at: HostingDaemon.adapter)
        #expect(try await eventually { try await next.advertised() != nil })
        await bench.hosted.remove()
    }

    @Test("an adapter that is switched off refuses nothing for good")
    func survivesBeingOff() async throws {
        let place = HostingDaemon.adapter
        try bench.daemon.connection.set(
            [Adapter1.powered: .boolean(false)], of: Adapter1.interfaceName, at: place)
        bench.daemon.refuse(GattManager1.registerApplication, BlueZErrorName.failed)
        bench.tell(.addService)
        #expect(try await bench.adapterIsKnownToBeOff())
        bench.daemon.state.withLock { $0.refusals = [:] }
        try bench.daemon.connection.set(
            [Adapter1.powered: .boolean(true)], of: Adapter1.interfaceName, at: place)
        let extra = ContractAttribute.extraService
        #expect(
            try await eventually {
                (try? await bench.daemon.place(of: extra, in: GattService1.interfaceName))
                    .flatMap { $0 } != nil
            })
        await bench.hosted.remove()
        #expect(await bench.hosted.waitUntilEnded() == nil)
    }
}
