import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The alarms of a hosted device, on a clock that a test sets.
@Suite(.takesTurns) struct HostingAlarmTests {
    /// A device that answers no request: each one waits for the alarm.
    private struct Mute: GATTPeripheral {
        static let service = BluetoothUUID(0xFFE0)
        static let text = BluetoothUUID(0xFFE1)
        private let database: GATTDatabase

        init() {
            var database = GATTDatabase()
            _ = database.add(Self.service) { $0.add(Self.text, .read) }
            self.database = database
        }

        var services: [GATTService] { database.services }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {}
    }

    private let time = ManualTime()

    private func host() async throws -> (HostingDaemon, Hosted<Mute>) {
        let bus = try PrivateBus()
        let daemon = try await HostingDaemon(on: bus)
        let connection = try await bus.connect(in: time.loop)
        let hosted = try await HostingBench.host(Mute(), on: connection, time: time)
        return (daemon, hosted)
    }

    /// Reads the device's value, and records the result.
    private func ask(_ daemon: HostingDaemon, _ ends: Heard<String>) async throws {
        let path = try await daemon.place(of: Mute.text, in: GattCharacteristic1.interfaceName)
        let call = DBusCall(
            GattCharacteristic1.readValue, of: GattCharacteristic1.interfaceName,
            at: path ?? .root, on: daemon.state.withLock { $0.program } ?? "",
            [.properties(HostingDaemon.options())])
        daemon.connection.call(call, timeout: .seconds(600)) { answer in
            switch answer {
            case .success: ends.append("answered")
            case .failure(let error): ends.append(error.name ?? "\(error)")
            }
        }
    }

    /// Waits until earlier requests have reached the device. The first reply may be sent before
    /// that; the second call is read only after it.
    private func activate(_ daemon: HostingDaemon) async throws {
        for _ in 0..<2 { _ = try await daemon.objects() }
    }

    @Test("requests share an alarm, which fires in time for each")
    func shares() async throws {
        let (daemon, hosted) = try await host()
        let ends = Heard<String>()
        try await ask(daemon, ends)
        try await ask(daemon, ends)
        // Four and a half seconds, and no earlier.
        #expect(try await eventually { time.due == [4_500_000] })
        try await activate(daemon)
        time.pass(.milliseconds(9))
        try await ask(daemon, ends)
        try await activate(daemon)
        #expect(time.due == [4_500_000])
        time.pass(.milliseconds(4490))
        try await activate(daemon)
        #expect(ends.all == [])
        time.pass(.milliseconds(1))
        #expect(try await eventually { ends.count == 2 })
        #expect(try await eventually { time.due == [4_509_000] })
        time.pass(.milliseconds(9))
        #expect(try await eventually { ends.count == 3 })
        #expect(try await eventually { time.due == [] })
        try await ask(daemon, ends)
        #expect(try await eventually { time.due.count == 1 })
        await hosted.remove()
    }

    @Test("an ended device leaves no timer")
    func leavesNone() async throws {
        let (daemon, hosted) = try await host()
        let ends = Heard<String>()
        for _ in 0..<3 {
            try await ask(daemon, ends)
            try await activate(daemon)
            time.pass(.milliseconds(10))
        }
        await hosted.remove()
        #expect(try await eventually { ends.count == 3 })
        // An alarm that is set already fires early, and is not set again.
        #expect(time.due.count <= 1)
        time.pass(.seconds(5))
        #expect(try await eventually { time.due == [] })
    }
}
