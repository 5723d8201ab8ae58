import Foundation
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// The polls of a link, and the writes that wait for room.
@Suite(.timeLimit(.minutes(20))) struct PollingTests {
    /// Requests follow each other: while one poll is due, no other one is scheduled.
    @Test func pollsDoNotMultiply() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let text = try await link.characteristic(.text)
        for _ in 0..<50 {
            #expect(try await link.read(text).count == ContractPeripheral.text.count)
        }
        #expect(link.polls.all.count == 1)
        // A poll without a request under way schedules none.
        await link.on { $0.poll() }
        #expect(link.polls.all.count == 1)
    }

    /// The report of room is enough.
    @Test func aWriterWakesWhenThereIsRoom() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let record = try await link.characteristic(.record)
        let done = Calls<Int>()
        for number in 0..<60 { link.write([UInt8(number)], to: record) { done.note(number) } }
        #expect(await eventually { done.all.count == 60 })
        #expect(done.all == Array(0..<60))
    }

    /// Without the report, a poll is.
    @Test func aWriterWakesAtAPoll() async throws {
        let link = try await LoneLink.open(
            PhoneBench(traps: [.readyWithoutCallback]), polls: .inTime)
        let record = try await link.characteristic(.record)
        let done = Calls<Int>()
        for number in 0..<60 { link.write([UInt8(number)], to: record) { done.note(number) } }
        #expect(await eventually { done.all.count == 60 })
        #expect(link.polls.all.contains { $0 <= PeripheralLink.roomInterval })
    }

    /// A system that never has room gets the first value after two seconds, and the next ones soon.
    @Test func aSystemWithoutRoomGetsTheValues() async throws {
        let link = try await LoneLink.open(PhoneBench(traps: [.readyStuckFalse]), polls: .inTime)
        let record = try await link.characteristic(.record)
        let done = Calls<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        for number in UInt8(0)..<11 { link.write([number], to: record) { done.note(.now) } }
        #expect(await eventually { done.all.count == 11 })
        let times = done.all.map { start.duration(to: $0) }
        #expect(times[1] >= PeripheralLink.roomLimit)
        for (earlier, later) in zip(times.dropFirst(), times.dropFirst(2)) {
            #expect(later - earlier >= PeripheralLink.laterRoomLimit)
        }
        // Nine values that waited for the first limit would take longer.
        #expect(times[10] < PeripheralLink.roomLimit * 5)
    }

    /// While the app is suspended no replies come, so that the wait begins again with its first
    /// poll.
    @Test func aSuspensionBeginsTheWaitAgain() async throws {
        let late = PeripheralLink.suspensionLimit + .milliseconds(50)
        let link = try await LoneLink.open(
            PhoneBench(traps: [.readyFirstFalse]), polls: .firstIsLate(late))
        let record = try await link.characteristic(.record)
        let done = Calls<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        link.write([1], to: record) { done.note(.now) }
        #expect(await eventually { done.all.count == 1 })
        let time = try #require(done.all.first)
        #expect(start.duration(to: time) >= PeripheralLink.roomLimit + late)
    }
}

/// A link of the backend without its central: polls come as the test wants.
private final class LoneLink: NSObject, CBCentralManagerDelegate, LinkOwner, @unchecked Sendable {
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
    private let queue = DispatchQueue(label: "lone link")
    private let identifier: UUID
    private let opened: @Sendable () -> Void
    private var mode: Polls
    private var manager: CBCentralManager?
    private var link: PeripheralLink?
    private var services: [GATTService] = []

    /// Connects to the contract's device, and discovers its services.
    static func open(_ bench: PhoneBench, polls: Polls = .never) async throws -> LoneLink {
        let device = bench.addDevice()
        let identifier = bench.phone.identifier(of: device.identity)
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
        link = PeripheralLink(1, peripheral, owner: self) { _ in }
        peripheral.delegate = link
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        opened()
    }

    func close(_ link: PeripheralLink, _ reason: DisconnectReason) {}

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
    func on(_ body: @escaping @Sendable (PeripheralLink) -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                if let link = self.link { body(link) }
                continuation.resume()
            }
        }
    }

    private func request(_ request: LinkRequest) {
        queue.async { self.link?.request(request) }
    }

    func characteristic(_ attribute: ContractAttribute) async throws -> AttributeID {
        let found = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.services) }
        }
        let all = found.lazy.compactMap { $0.characteristic(attribute.uuid) }
        return try #require(all.first).id
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
