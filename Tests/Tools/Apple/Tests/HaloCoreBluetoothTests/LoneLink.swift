import Foundation
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// A link of the backend without its central: polls come as the test wants.
final class LoneLink: NSObject, CBCentralManagerDelegate, LinkOwner, @unchecked Sendable {
    enum Polls {
        /// No poll comes.
        case never
        /// Each poll comes in time.
        case inTime
        /// The first short poll comes late by a duration, and all others in time.
        case firstIsLate(Duration)
    }

    /// The delays of the polls that were scheduled.
    let polls = Calls<Duration>()
    /// The reasons for which the link wants to be closed.
    let closed = Calls<DisconnectReason>()
    /// The events of the link.
    let events = Calls<LinkEvent>()
    private let queue = DispatchQueue(label: "lone link")
    private let identifier: UUID
    private let opened: @Sendable () -> Void
    private var mode: Polls
    private var manager: CBCentralManager?
    private var link: PeripheralLink?
    private var services: [GATTService] = []

    /// Connects to a device of the air, by default the contract's, and discovers its services.
    static func open(
        _ bench: PhoneBench, to device: PeripheralIdentity? = nil, polls: Polls = .never
    ) async throws -> LoneLink {
        let identifier = bench.phone.identifier(of: device ?? bench.addDevice().identity)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let lone = LoneLink(identifier, polls) { end.yield() }
        Phone.$current.withValue(bench.phone) { lone.begin() }
        for await _ in ends { break }
        let found: Result<[GATTService], BLEError> = await withCheckedContinuation { reply in
            lone.request(.discover { reply.resume(returning: $0) })
        }
        let services = try found.get()
        await lone.on { _ in lone.services = services }
        return lone
    }

    private init(_ identifier: UUID, _ mode: Polls, opened: @escaping @Sendable () -> Void) {
        self.identifier = identifier
        self.mode = mode
        self.opened = opened
    }

    private func begin() {
        queue.sync { manager = CBCentralManager(delegate: self, queue: queue) }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let peripheral = central.retrievePeripherals(withIdentifiers: [identifier]).first
        guard let peripheral else { return }
        link = PeripheralLink(1, peripheral, owner: self) { [events] in events.note($0) }
        peripheral.delegate = link
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        opened()
    }

    func close(_ link: PeripheralLink, _ reason: DisconnectReason) { closed.note(reason) }

    func poll(_ link: PeripheralLink, after delay: Duration) {
        polls.note(delay)
        var delay = delay
        switch mode {
        case .never: return
        case .inTime: break
        case .firstIsLate(let late):
            guard delay <= PeripheralLink.roomInterval else { break }
            delay += late
            mode = .inTime
        }
        let (seconds, attoseconds) = delay.components
        let wait = Double(seconds) + Double(attoseconds) / 1e18
        queue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.link?.poll() }
    }

    /// Runs a function with the link on its queue.
    @discardableResult func on<Result: Sendable>(
        _ body: @escaping @Sendable (PeripheralLink) -> Result
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.link.map(body)) }
        }
    }

    func request(_ request: LinkRequest) { queue.async { self.link?.request(request) } }

    /// The characteristics that were discovered.
    var characteristics: [GATTCharacteristic] {
        queue.sync { services.flatMap(\.characteristics) }
    }

    func characteristic(_ attribute: ContractAttribute) throws -> AttributeID {
        try #require(characteristics.first { $0.uuid == attribute.uuid }).id
    }

    func read(_ id: AttributeID) async throws -> [UInt8] {
        let result: Result<[UInt8], BLEError> = await withCheckedContinuation { reply in
            request(.read(id) { reply.resume(returning: $0) })
        }
        return try result.get()
    }

    /// Writes without response; the function is called when the value is written.
    func write(
        _ value: [UInt8], to id: AttributeID, _ written: @escaping @Sendable () -> Void
    ) {
        request(
            .write(value, id, .withoutResponse) { result in
                if case .success = result { written() }
            })
    }
}
