import BlueZVocabulary
import FakeBlueZ
import Foundation
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A transport on a bus whose daemon has faults.
@Suite(.isAlone) struct HubTests {
    private let fake: FakeBlueZ

    init() async throws { fake = try await FakeBlueZ() }

    private static let address = "C0:00:00:00:00:01"
    private static let identity = PeripheralIdentity(address)

    private func transport(
        _ fake: FakeBlueZ, _ change: (inout BlueZOptions) -> Void = { _ in }
    ) async throws -> BlueZTransport {
        var options = BlueZOptions(bus: try fake.listen())
        change(&options)
        return try await BlueZTransport(options)
    }

    private func find(_ transport: BlueZTransport) async throws -> Discovery {
        try await transport.find(ScanFilter(identities: [Self.identity]), timeout: .seconds(60))
    }

    /// The error with which a scan ends after a fault, once it has found the device.
    private func end(
        of transport: BlueZTransport, after trouble: () async throws -> Void
    ) async throws -> BLEError? {
        var scan = transport.scan().makeAsyncIterator()
        _ = try await scan.next()
        try await trouble()
        do throws(BLEError) {
            while try await scan.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test func theStateIsKnownAtOnce() async throws {
        #expect(try await transport(fake).adapterState == .poweredOn)
        fake.setPowered(false)
        #expect(try await transport(fake).adapterState == .poweredOff)
        #expect(try await transport(fake) { $0.powersOn = true }.adapterState == .poweredOn)
        fake.removeAdapter()
        let bare = try await transport(fake)
        #expect(bare.adapterState == .unsupported)
        await #expect(throws: BLEError.self) { try await find(bare) }
    }

    @Test func aBlockedAdapterStaysOffWithAnError() async throws {
        fake.setBlocked(true)
        let blocked = try await transport(fake) { $0.powersOn = true }
        #expect(blocked.adapterState == .poweredOff)
        do throws(BLEError) {
            _ = try await blocked.find()
            Issue.record("it found something")
        } catch {
            #expect(error.kind == .bluetoothOff)
            #expect(error.details?.contains("rfkill") == true, "\(error)")
        }
    }

    @Test(arguments: [
        ("", "no address at byte 0"), ("nonsense", "no transport and colon at byte 0"),
        ("unix:path=/a b", "a character that has to be escaped at byte 12"),
    ])
    func anAddressThatIsNoneIsNamed(_ text: String, _ fault: String) async throws {
        let error = await #expect(throws: BLEError.self) {
            _ = try await BlueZTransport(BlueZOptions(bus: text))
        }
        #expect(error?.kind == .backend)
        #expect(error?.details?.contains(fault) == true, "\(String(describing: error))")
        // Starting a bus does not help.
        #expect(error?.details?.contains("systemctl") == false)
    }

    /// Of several addresses the first one that can be reached is used.
    @Test func anotherAddressIsTried() async throws {
        let nowhere = "unix:abstract=halo-nobody-is-here-\(fake.bus.id)"
        let options = BlueZOptions(bus: "\(nowhere);\(try fake.listen())")
        #expect(try await BlueZTransport(options).adapterState == .poweredOn)
    }

    @Test func aCallThatIsCancelledBeforeItIsSentIsNotSent() async throws {
        let bus = try PrivateBus()
        let (service, client) = (try await bus.connect(), try await bus.connect())
        let asked = Heard<String>()
        let interface = DBusInterface("org.example.Asked", methods: [.init("One"), .init("Two")])
        try service.export(DBusObject([interface]), at: .root) { request in
            asked.append(request.member)
            request.reply()
        }
        let hub = BlueZHub(options: BlueZOptions()) { _ throws(DBusError) in
            throw DBusError(.unreachable)
        }
        hub.keep(BlueZHub.Connection(number: 1, bus: client))
        let name = try #require(service.uniqueName)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            hub.update { session in
                let one = session.call(
                    DBusCall("One", of: "org.example.Asked", at: .root, on: name)
                ) { _, _ in asked.append("an answer to One") }
                session.forget(one)
                session.call(
                    DBusCall("Two", of: "org.example.Asked", at: .root, on: name)
                ) { session, _ in session.callBack { done.resume() } }
            }
        }
        #expect(asked.all == ["Two"])
    }

    @Test func waitingForATransportCanBeCancelled() async throws {
        let pair = try await SilentBus()
        let address = try pair.bus.listen().description
        let task = Task { () async -> BLEError? in
            do throws(BLEError) {
                _ = try await BlueZTransport(BlueZOptions(bus: address))
                return nil
            } catch {
                return error
            }
        }
        #expect(try await pair.isAsked())
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }

    @Test func aScanEndsWithTheDaemonAndTheNextOneWorks() async throws {
        fake.add(ContractPeripheral(), address: Self.address)
        let transport = try await transport(fake)
        #expect(try await find(transport).name == ContractPeripheral.name)

        let off = try await end(of: transport) { fake.setPowered(false) }
        #expect(off?.kind == .bluetoothOff)
        fake.setPowered(true)
        #expect(try await settled(transport) == .poweredOn)
        #expect(try await find(transport).identity == Self.identity)

        let removed = try await end(of: transport) { fake.removeAdapter() }
        // A daemon may say first that it is off.
        #expect(removed?.kind == .noBluetooth || removed?.kind == .bluetoothOff)
        fake.addAdapter()
        #expect(try await settled(transport) == .poweredOn)
        #expect(try await find(transport).identity == Self.identity)

        let killed = try await end(of: transport) { await fake.kill() }
        #expect(killed?.kind == .backend)
        #expect(transport.adapterState == .unknown)
        try await fake.restart()
        #expect(try await find(transport).identity == Self.identity)

        let restarted = try await end(of: transport) { try await fake.restart() }
        #expect(restarted?.kind == .backend)
        #expect(try await find(transport).identity == Self.identity)

        let cut = try await end(of: transport) { fake.bus.disconnectAll() }
        #expect(cut?.kind == .backend)
        try await fake.restart()
        #expect(try await find(transport).identity == Self.identity)

        let dead = try await end(of: transport) { fake.bus.close() }
        #expect(dead?.kind == .backend)
        await #expect(throws: BLEError.self) { try await find(transport) }
    }

    /// Waits for the state `poweredOn`.
    private func settled(_ transport: BlueZTransport) async throws -> AdapterState? {
        for try await state in transport.adapterStates() where state == .poweredOn {
            return state
        }
        return nil
    }

    @Test func statesAreReportedAsTheyChange() async throws {
        let transport = try await transport(fake)
        var states = transport.adapterStates().makeAsyncIterator()
        #expect(try await states.next() == .poweredOn)
        fake.setPowered(false)
        #expect(try await states.next() == .poweredOff)
        fake.setPowered(true)
        #expect(try await states.next() == .poweredOn)
        fake.removeAdapter()
        // Some daemons switch it off first.
        var state = try await states.next()
        if state == .poweredOff { state = try await states.next() }
        #expect(state == .unsupported)
        fake.addAdapter()
        state = try await states.next()
        if state == .poweredOff { state = try await states.next() }
        #expect(state == .poweredOn)
        await fake.kill()
        while let next = state, next != .unknown { state = try await states.next() }
        #expect(state == .unknown)
        try await fake.restart()
        while let next = state, next != .poweredOn { state = try await states.next() }
        #expect(state == .poweredOn)
    }

    @Test func anotherProgramsDiscoveryIsAwaited() async throws {
        fake.add(ContractPeripheral(), address: Self.address)
        fake.quirks.searchInProgress = 2
        #expect(try await find(try await transport(fake)).identity == Self.identity)
    }

    @Test func wrongTypesOfEverythingAreSurvived() async throws {
        let wrong: [DBusValue] = [.string("wrong"), .uint64(.max), .array(.string, [])]
        for value in wrong {
            for property in Device1.interface.properties {
                fake.quirks.falseValues["\(Device1.interfaceName).\(property.name)"] = value
            }
            let device = fake.add(ContractPeripheral())
            let transport = try await transport(fake)
            await #expect(throws: BLEError.self) {
                try await transport.find(
                    ScanFilter(namePrefix: "No device"), timeout: .milliseconds(200))
            }
            await device.remove()
        }
    }

    @Test func nothingIsLeftOpen() async throws {
        fake.add(ContractPeripheral(), address: Self.address)
        let address = try fake.listen()
        for round in 0..<3 {
            let before = openDescriptors()
            for _ in 0..<20 {
                let transport = try await BlueZTransport(BlueZOptions(bus: address))
                if round == 1 { _ = try await find(transport) }
            }
            // Other threads are to close what they have.
            #expect(try await eventually { openDescriptors() <= before })
        }
    }

    private func openDescriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// A bus on which another program owns the daemon's name and does not reply.
private final class SilentBus: Sendable {
    let bus: PrivateBus
    private let daemon: DBusConnection
    private let requests = Locked<[DBusRequest]>([])

    init() async throws {
        bus = try PrivateBus()
        daemon = try await bus.connect()
        let manager = DBusInterface(
            DBusObjectManager.interfaceName,
            methods: [
                .init(
                    DBusObjectManager.getManagedObjects, returns: [.init("objects", .options)])
            ])
        try daemon.export(DBusObject([manager]), at: .root) { [requests] request in
            requests.withLock { $0.append(request) }
        }
        try await daemon.requestName(BlueZDaemon.name)
    }

    /// Waits until a client has requested its objects.
    func isAsked() async throws -> Bool {
        try await eventually { !requests.withLock { $0.isEmpty } }
    }
}
