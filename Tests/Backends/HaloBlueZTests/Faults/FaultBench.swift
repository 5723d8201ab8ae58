import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport

@testable import HaloBlueZ

/// A computer whose Bluetooth fails, with a device in range and one transport.
final class FaultBench: Sendable {
    private struct Computer: Sendable {
        let fake: FakeBlueZ
        let device: Hosted<ContractPeripheral>
    }

    static let identity = PeripheralIdentity("C0:DE:00:00:00:0F")
    static let service = ContractAttribute.service

    let transport: BlueZTransport
    let address: String
    private let place: DBusAddress.Socket
    private let computer: Locked<Computer>

    init(
        _ options: BlueZOptions = BlueZOptions(), quirks: FakeQuirks = FakeQuirks(),
        timing: FakeTiming = FakeTiming()
    ) async throws {
        let bus = try PrivateBus()
        place = .abstract("halo-faults-\(bus.id)")
        address = DBusAddress(place).description
        computer = Locked(try await Self.start(on: bus, at: place, quirks, timing))
        var options = options
        options.bus = address
        // The transport is bound to the first adapter, and cannot evade its faults.
        options.adapter = options.adapter ?? "hci0"
        transport = try await BlueZTransport(options)
    }

    private static func start(
        on bus: PrivateBus, at place: DBusAddress.Socket, _ quirks: FakeQuirks,
        _ timing: FakeTiming
    ) async throws -> Computer {
        let fake = try await FakeBlueZ(adapters: 2, quirks: quirks, timing: timing, on: bus)
        let device = fake.add(ContractPeripheral(), address: identity.rawValue)
        // The bus that was there before may still be about to leave its place.
        _ = try await eventually { (try? bus.listen(at: place)) != nil }
        return Computer(fake: fake, device: device)
    }

    var fake: FakeBlueZ { computer.withLock { $0.fake } }

    /// `true` while the device is connected.
    var isConnected: Bool { computer.withLock { $0.device }.isConnected }

    /// `true` if the device is free, and the transport knows it.
    var isFree: Bool { isFree(for: transport) }

    /// `true` if the device is free, and a transport knows it. Before, it would adopt a link that
    /// is about to end.
    func isFree(for transport: BlueZTransport) -> Bool {
        !isConnected
            && transport.hub.read { session in
                session.mirror.devices.values.allSatisfy { !$0.isConnected }
            }
    }

    func tell(_ instruction: ContractPeripheral.Instruction) {
        computer.withLock { $0.device }.modify { $0.instructions.append(instruction) }
    }

    /// Starts another bus at the same address, with another daemon.
    func startAgain() async throws {
        let next = try await Self.start(
            on: try PrivateBus(), at: place, FakeQuirks(), FakeTiming())
        let old = computer.withLock { computer in
            defer { computer = next }
            return computer
        }
        withExtendedLifetime(old) {}
    }

    /// Waits until the only link, or attempt, meets the condition.
    func reaches(_ isThere: @escaping (LinkMachine) -> Bool) async throws -> Bool {
        try await eventually {
            transport.hub.read { $0.links.contains(where: isThere) }
        }
    }

    func characteristic(
        _ attribute: ContractAttribute, _ link: BLELink
    ) async throws -> GATTCharacteristic {
        try await link.characteristic(attribute.uuid, of: Self.service)
    }

    /// A whole session with a device, from discovery to the end.
    func work(timeout: Duration = .seconds(60)) async throws -> Bool {
        let found = try await transport.find(
            ScanFilter(identities: [Self.identity]), timeout: timeout)
        let link = try await transport.connect(to: found, timeout: timeout)
        let isRead =
            try await link.read(try await characteristic(.text, link)) == ContractPeripheral.text
        let values = try await link.notifications(of: try await characteristic(.second, link))
        tell(.send(.second, [1, 2, 3]))
        var iterator = values.makeAsyncIterator()
        let isHeard = try await iterator.next()?.value == [1, 2, 3]
        try await link.write([4], to: try await characteristic(.record, link))
        await link.disconnect()
        let isEmpty = transport.hub.read(\.links.isEmpty)
        return isRead && isHeard && isEmpty && link.disconnectReason?.kind == .local
    }
}

/// Observes a transport: not every part notices a fault at once, and an operation that starts
/// before that still fails.
final class FaultWitness: Sendable {
    private let hasNoticed: Locked<Bool>
    private let observation: BLECancellable

    init(_ transport: BlueZTransport) {
        let hasNoticed = Locked(false)
        self.hasNoticed = hasNoticed
        observation = transport.observeAdapter { state in
            if state != .poweredOn { hasNoticed.withLock { $0 = true } }
        }
    }

    deinit { observation.cancel() }

    /// Waits until the transport has noticed the fault.
    func notices() async throws -> Bool {
        try await eventually { hasNoticed.withLock { $0 } }
    }
}

/// The error of a task, or `nil`.
func failure(of work: () async throws -> Void) async -> (any Error)? {
    do {
        try await work()
        return nil
    } catch {
        return error
    }
}
