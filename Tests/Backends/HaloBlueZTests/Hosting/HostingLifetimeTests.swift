import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The references to a hosted device, and the notification of its end.
@Suite(.takesTurns) struct HostingLifetimeTests {
    /// A device without services and effects.
    private struct Mute: GATTPeripheral {
        private let database: GATTDatabase

        init() {
            var database = GATTDatabase()
            _ = database.add(BluetoothUUID(0xFFE0)) { $0.add(BluetoothUUID(0xFFE1), .read) }
            self.database = database
        }

        var services: [GATTService] { database.services }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {}
    }

    /// Hosts a device without keeping a reference.
    private func begin(
        on connection: DBusConnection
    ) async throws -> () -> (host: BlueZHost?, peripheral: PeripheralHost<Mute>?) {
        let time = SystemTime(in: connection.loop)
        let host = BlueZHost(
            on: BlueZHub(options: BlueZOptions(), time: time) { _ in connection })
        let peripheral = PeripheralHost(Mute(), on: time) { [weak host] effect in
            host?.perform(effect)
        }
        try await host.start(peripheral, HostingOptions())
        return { [weak host, weak peripheral] in (host, peripheral) }
    }

    @Test("a hosted device needs no reference until its end")
    func isHeld() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        let connection = try await bus.connect()
        let held = try await begin(on: connection)
        _ = try await connection.call(
            DBusCall("GetId", of: DBusName.bus, at: .bus, on: DBusName.bus))
        #expect(held().peripheral != nil)
        // The service and its characteristic.
        #expect(try await daemon.objects().count == 2)
        await held().host?.remove()
        #expect(try await eventually { held().host == nil && held().peripheral == nil })
        await #expect(throws: DBusError.self) { try await daemon.objects() }
        #expect(connection.endError == nil)
    }

    @Test("all who wait for the end get it, unless they were cancelled")
    func endsForAll() async throws {
        let bench = try await HostingBench()
        let waiters = (0..<3).map { _ in Task { await bench.hosted.waitUntilEnded() } }
        let other = Task { await bench.hosted.waitUntilEnded() }
        for _ in 0..<100 { await Task.yield() }
        other.cancel()
        #expect(await other.value == nil)
        bench.daemon.bus.close()
        for waiter in waiters { #expect(await waiter.value?.kind == .backend) }
        #expect(await bench.hosted.waitUntilEnded()?.kind == .backend)
    }

    @Test("each removal waits for the end")
    func isRemovedTwice() async throws {
        let bench = try await HostingBench()
        let removals = (0..<3).map { _ in Task { await bench.hosted.remove() } }
        for removal in removals { await removal.value }
        #expect(await bench.hosted.waitUntilEnded() == nil)
        await bench.hosted.remove()
        #expect(bench.daemon.calls.count { $0.hasPrefix("Unregister") } == 2)
    }
}
