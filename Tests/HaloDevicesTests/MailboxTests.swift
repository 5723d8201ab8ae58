import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

@testable import HaloDevices

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    private let air = VirtualBluetooth()

    @Test func whatComesIsFetchedInOrder() async throws {
        let mailbox = Mailbox(limit: 8, .waits, air.time)
        for number in 0..<5 { mailbox.send(number) }
        mailbox.finish(.success(()))
        mailbox.send(99)
        for number in 0..<5 { #expect(try await mailbox.next()?.element == number) }
        #expect(try await mailbox.next() == nil)
        #expect(try await mailbox.next() == nil)
    }

    @Test func theOldestIsDroppedAndCounted() async throws {
        let mailbox = Mailbox(limit: 3, .waits, air.time)
        for number in 0..<10 { mailbox.send(number) }
        let first = try #require(try await mailbox.next())
        #expect(first.element == 7)
        #expect(first.dropped == 7)
        #expect(try await mailbox.next()?.dropped == 0)
        for number in 10..<20 { mailbox.send(number) }
        #expect(try await mailbox.next()?.dropped == 8)
    }

    @Test func anErrorIsThrownOnceAfterWhatCameBefore() async throws {
        let mailbox = Mailbox(limit: 3, .waits, air.time)
        mailbox.send(1)
        mailbox.finish(.failure(DeviceError(.silent)))
        mailbox.finish(.failure(DeviceError(.replaced)))
        #expect(try await mailbox.next()?.element == 1)
        #expect(await kind { _ = try await mailbox.next() } == .silent)
        #expect(try await mailbox.next() == nil)
    }

    @Test func whoWaitsIsHandedWhatComes() async throws {
        let mailbox = Mailbox(limit: 3, .waits, air.time)
        let timers = (0..<3).map { number in
            air.time.schedule(at: .origin + .seconds(number + 1)) { mailbox.send(number) }
        }
        for number in 0..<3 { #expect(try await mailbox.next()?.element == number) }
        #expect(air.time.now() == .origin + .seconds(3))
        for timer in timers { timer.cancel() }
    }

    @Test func severalMayWait() async throws {
        let mailbox = Mailbox(limit: 3, .waits, air.time)
        let timers = (0..<4).map { number in
            air.time.schedule(at: .origin + .seconds(number + 1)) { mailbox.send(number) }
        }
        let end = air.time.schedule(at: .origin + .seconds(9)) { mailbox.finish(.success(())) }
        let all = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var mine: [Int] = []
                    while let delivery = try await mailbox.next() { mine.append(delivery.element) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(all.sorted() == [0, 1, 2, 3])
        for timer in timers + [end] { timer.cancel() }
    }

    @Test func aCancelledTaskGetsNothingAndTakesNothing() async throws {
        let mailbox = Mailbox(limit: 3, .listens, air.time)
        let task = Task { try await mailbox.next()?.element }
        task.cancel()
        #expect(try await task.value == nil)
        mailbox.send(5)
        #expect(try await mailbox.next()?.element == 5)
    }

    @Test func buffersKeepTheLastSoMany() {
        for limit in [1, 2, 3, 7, -4] {
            var buffer = BoundedBuffer<Int>(limit: limit)
            var expected: [Int] = []
            var dropped = 0
            var state: UInt64 = 12
            for number in 0..<500 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if state >> 60 < 10 {
                    buffer.append(number)
                    expected.append(number)
                    if expected.count > max(limit, 1) {
                        expected.removeFirst()
                        dropped += 1
                    }
                } else {
                    let taken = buffer.takeFirst()
                    #expect(taken?.0 == expected.first)
                    #expect(taken.map { $0.dropped == dropped } ?? true)
                    if !expected.isEmpty {
                        expected.removeFirst()
                        dropped = 0
                    }
                }
            }
        }
    }
}

/// One loop's buffer in a connection to a device that has only numbers to tell.
final class Mailbox: Sendable {
    /// The least that a device can be.
    struct Client: DeviceClient {
        typealias Channel = Never
        typealias Step = Never

        var numbers: Consumers<Int>
        var preparation: [PreparationStep<Client>] { [] }
        var deadline: Moment? { nil }

        mutating func found(_ services: [GATTService]) {}
        func source(of channel: Never) -> GATTCharacteristic? {}
        mutating func ready(_ context: inout Context) {}
        mutating func linkEnded(
            _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context
        ) {}
        mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {}
        mutating func receive(
            _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context
        ) {}
        mutating func tick(_ context: inout Context) {}
    }

    /// A time without devices.
    private struct EmptyTransport: BLETransport {
        let time: any TransportTime
        var features: TransportFeatures { VirtualBluetooth().features }
        var adapterState: AdapterState { .poweredOn }

        func observeAdapter(
            _ change: @escaping @Sendable (AdapterState) -> Void
        ) -> Registration { Registration {} }

        func startScan(
            _ filter: ScanFilter,
            _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
        ) -> Registration { Registration {} }

        func openLink(
            to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
            completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
        ) -> Registration { Registration {} }
    }

    private let connection: DeviceConnection<Client>
    private let loop: Loop<Client, Int>

    init(limit: Int, _ patience: Patience, _ time: any TransportTime) {
        connection = DeviceConnection(
            to: PeripheralIdentity("numbers"), over: EmptyTransport(time: time),
            reconnect: .never, bufferLimit: limit, Client(numbers: Consumers(limit: limit)))
        loop = Loop(connection, holding: connection, patience) { body, state in
            body(&state.client.numbers, &state.turn)
        }
    }

    func send(_ number: Int) { connection.act { $0.numbers.send(number, &$1.turn) } }

    func finish(_ end: Result<Void, DeviceError>) {
        connection.act { $0.numbers.finish(end, &$1.turn) }
    }

    nonisolated(nonsending) func next() async throws(DeviceError) -> Delivery<Int>? {
        try await loop.next()
    }
}
