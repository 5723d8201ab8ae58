import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

@Suite("The life of a hosted device", .takesTurns) struct HostingLifeTests {
    private let bench: HostingBench

    init() async throws { bench = try await HostingBench() }

    @Test("removing takes both away, and gives the adapter its name back")
    func removes() async throws {
        let bench = try await HostingBench(HostingOptions(renamesAdapter: true))
        await bench.hosted.remove()
        #expect(
            bench.daemon.calls.suffix(3) == [
                "Alias=computer", LEAdvertisingManager1.unregisterAdvertisement,
                GattManager1.unregisterApplication,
            ])
        #expect(bench.daemon.calls.contains("Alias=\(ContractPeripheral.name)"))
        #expect(await bench.hosted.waitUntilEnded() == nil)
        await bench.hosted.remove()
    }

    @Test("a central that connects is known, and gone when its link is")
    func followsTheCentral() async throws {
        try bench.daemon.add(connected: false)
        try bench.daemon.set(connected: true)
        #expect(try await eventually { bench.hosted.isConnected })
        _ = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: HostingDaemon.options())
        bench.tell(.disconnect)
        #expect(try await eventually { bench.daemon.calls.last == Device1.disconnect })
        try bench.daemon.set(connected: false)
        #expect(
            try await eventually {
                !bench.hosted.isConnected && !bench.hosted.state.isConnected
            })
        await bench.hosted.remove()
    }

    @Test("a second central is refused, and its link closed")
    func refusesTheSecond() async throws {
        let other = HostingDaemon.path("/org/bluez/hci7/dev_00_AA_01_00_00_02")
        try bench.daemon.add(connected: true)
        try bench.daemon.add(other, connected: true)
        let text = ContractAttribute.text.uuid
        _ = try await bench.daemon.ask("ReadValue", of: text, options: HostingDaemon.options())
        let error = await #expect(throws: DBusError.self) {
            try await bench.daemon.ask(
                "ReadValue", of: text, options: HostingDaemon.options(central: other))
        }
        #expect(error?.name == BlueZErrorName.notAuthorized)
        #expect(try await eventually { bench.daemon.calls.last == Device1.disconnect })
        #expect(bench.hosted.state.connections == 1)
        await bench.hosted.remove()
    }

    @Test("services that come later are an application of their own")
    func changesServices() async throws {
        bench.tell(.addService)
        let extra = ContractAttribute.extraService
        #expect(
            try await eventually {
                // The objects may be removed while they are read.
                (try? await bench.daemon.place(of: extra, in: GattService1.interfaceName))
                    .flatMap { $0 } != nil
            })
        #expect(
            bench.daemon.calls.suffix(2) == [
                LEAdvertisingManager1.registerAdvertisement, GattManager1.registerApplication,
            ])
        await bench.hosted.remove()
        #expect(
            bench.daemon.calls.suffix(2) == [
                GattManager1.unregisterApplication, GattManager1.unregisterApplication,
            ])
    }

    @Test("a device that has no services only advertises")
    func hostsBeacons() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        let hosted = try await HostingBench.host(HostingBeacon(), on: try await bus.connect())
        #expect(daemon.calls == [LEAdvertisingManager1.registerAdvertisement])
        let kind = try await daemon.advertised()?[LEAdvertisement1.type]?.string
        #expect(kind == LEAdvertisement1.broadcast)
        await hosted.remove()
    }

    @Test("a device that has no services is not hosted before it advertises")
    func awaitsBeacons() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        daemon.refuse(LEAdvertisingManager1.registerAdvertisement, BlueZErrorName.notPermitted)
        let connection = try await bus.connect()
        let error = await failure {
            _ = try await HostingBench.host(HostingBeacon(), on: connection)
        }
        #expect((error as? BLEError)?.kind == .overloaded)
    }

    @Test("cancelling during the registration leaves no objects")
    func cancels() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        let connection = try await bus.connect()
        for turns in 0..<20 {
            let hosting = Task { try await HostingBench.host(connection) }
            for _ in 0..<turns { await Task.yield() }
            hosting.cancel()
            if case .success(let hosted) = await hosting.result { await hosted.remove() }
        }
        #expect(
            try await eventually {
                daemon.state.withLock { $0.application == nil && $0.advertisement == nil }
            })
    }

    @Test("a cancelled task can remove the device")
    func removesWhenCancelled() async throws {
        let removal = Task {
            while !Task.isCancelled { await Task.yield() }
            await bench.hosted.remove()
            return bench.daemon.calls.last
        }
        removal.cancel()
        #expect(await removal.value == GattManager1.unregisterApplication)
    }

    @Test("a daemon that never answers is not waited for longer than a moment")
    func removesFromTheDead() async throws {
        bench.daemon.state.withLock { $0.isSilent = true }
        let isRemoved = Locked(false)
        let removal = Task {
            await bench.hosted.remove()
            isRemoved.withLock { $0 = true }
        }
        #expect(try await eventually(within: .seconds(8)) { isRemoved.withLock { $0 } })
        await removal.value
    }

    @Test("a daemon that is started again gets it again")
    func survivesTheDaemon() async throws {
        try bench.daemon.add(connected: true)
        _ = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: HostingDaemon.options())
        bench.daemon.connection.close()
        #expect(try await eventually { !bench.hosted.isConnected })
        let next = try await HostingDaemon(on: bench.daemon.bus)
        #expect(try await eventually { try await next.advertised() != nil })
        let reply = try await next.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: HostingDaemon.options())
        #expect(reply.values.first?.bytes == ContractPeripheral.text)
        await bench.hosted.remove()
        #expect(next.calls.last == GattManager1.unregisterApplication)
    }

    @Test("an adapter that comes back gets it again")
    func survivesTheAdapter() async throws {
        bench.daemon.connection.unexport(HostingDaemon.adapter)
        bench.daemon.state.withLock { $0.calls = [] }
        try bench.daemon.export()
        #expect(try await eventually { bench.daemon.calls.count == 2 })
        await bench.hosted.remove()
    }

    @Test("the end of the bus is its end")
    func endsWithTheBus() async throws {
        bench.daemon.bus.close()
        let error = await bench.hosted.waitUntilEnded()
        #expect(error?.kind == .backend)
        #expect(error?.operation == .host)
        await bench.hosted.remove()
    }

    @Test(
        "a refusal of the daemon is reported",
        arguments: [
            (GattManager1.registerApplication, "org.bluez.Error.Failed", BLEError.Kind.backend),
            (
                LEAdvertisingManager1.registerAdvertisement, "org.bluez.Error.NotPermitted",
                .overloaded
            ),
            (
                LEAdvertisingManager1.registerAdvertisement, "org.bluez.Error.InvalidLength",
                .tooLong
            ),
            (
                LEAdvertisingManager1.registerAdvertisement,
                "org.freedesktop.DBus.Error.UnknownMethod", .notSupported
            ),
        ])
    func saysWhy(_ method: String, _ name: String, _ kind: BLEError.Kind) async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        daemon.refuse(method, name, "its words")
        let connection = try await bus.connect()
        let error = await #expect(throws: BLEError.self) {
            try await HostingBench.host(connection)
        }
        #expect(error?.kind == kind)
        #expect(error?.details?.contains("its words") == true)
        #expect(daemon.state.withLock { $0.advertisement } == nil)
        daemon.state.withLock { $0.refusals = [:] }
        let hosted = try await HostingBench.host(connection)
        await hosted.remove()
    }

    @Test("an adapter that cannot host, is off or absent is an error")
    func needsAnAdapter() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        await expect(.backend, on: connection)
        let daemon = try await HostingDaemon(on: bus, managers: [GattManager1.interface])
        await expect(.notSupported, on: connection)
        daemon.connection.unexport(HostingDaemon.adapter)
        await expect(.noBluetooth, on: connection)
        try daemon.export(powered: false)
        await expect(.bluetoothOff, on: connection)
        let hosted = try await HostingBench.host(
            connection, HostingOptions(), BlueZOptions(adapter: "hci7", powersOn: true))
        #expect(daemon.calls.first?.hasPrefix("Powered=") == true)
        await hosted.remove()
        await expect(
            .noBluetooth, on: connection, BlueZOptions(adapter: "hci77", powersOn: true))
    }

    private func expect(
        _ kind: BLEError.Kind, on connection: DBusConnection,
        _ use: BlueZOptions = BlueZOptions()
    ) async {
        let error = await #expect(throws: BLEError.self) {
            try await HostingBench.host(connection, HostingOptions(), use)
        }
        #expect(error?.kind == kind)
    }
}
