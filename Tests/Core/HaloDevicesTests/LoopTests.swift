import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

@Suite(.passesTime) struct LoopTests {
    private let air = VirtualBluetooth()

    @Test func elementsComeInOrder() async throws {
        let loop = NumberLoop(limit: 8, .waits, air.time)
        for number in 0..<5 { loop.send(number) }
        loop.finish(.success(()))
        loop.send(99)
        for number in 0..<5 { #expect(try await loop.next() == number) }
        #expect(try await loop.next() == nil)
        #expect(try await loop.next() == nil)
    }

    @Test func theOldestIsDroppedAndCounted() async throws {
        let loop = NumberLoop(limit: 3, .waits, air.time)
        for number in 0..<10 { loop.send(number) }
        for expected in [-7, 7, 8] { #expect(try await loop.next() == expected) }
        for number in 10..<20 { loop.send(number) }
        for expected in [-8, 17, 18, 19] { #expect(try await loop.next() == expected) }
    }

    @Test func anErrorIsThrownOnceAfterWhatCameBefore() async throws {
        let loop = NumberLoop(limit: 3, .waits, air.time)
        loop.send(1)
        loop.finish(.failure(DeviceError(.silent)))
        loop.finish(.failure(DeviceError(.replaced)))
        #expect(try await loop.next() == 1)
        #expect(await kind { _ = try await loop.next() } == .silent)
        #expect(try await loop.next() == nil)
    }

    @Test func aWaitingTaskReceivesTheNextElement() async throws {
        let loop = NumberLoop(limit: 3, .waits, air.time)
        let timers = (0..<3).map { number in
            air.time.schedule(at: .origin + .seconds(number + 1)) { loop.send(number) }
        }
        for number in 0..<3 { #expect(try await loop.next() == number) }
        #expect(air.time.now() == .origin + .seconds(3))
        for timer in timers { timer.cancel() }
    }

    @Test func severalTasksMayWait() async throws {
        let loop = NumberLoop(limit: 3, .waits, air.time)
        let timers = (0..<4).map { number in
            air.time.schedule(at: .origin + .seconds(number + 1)) { loop.send(number) }
        }
        let end = air.time.schedule(at: .origin + .seconds(9)) { loop.finish(.success(())) }
        let all = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var mine: [Int] = []
                    while let number = try await loop.next() { mine.append(number) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(all.sorted() == [0, 1, 2, 3])
        for timer in timers + [end] { timer.cancel() }
    }

    @Test func aCancelledTaskReceivesNilAndRemovesNoElement() async throws {
        let loop = NumberLoop(limit: 3, .listens, air.time)
        let task = Task { try await loop.next() }
        task.cancel()
        #expect(try await task.value == nil)
        loop.send(5)
        #expect(try await loop.next() == 5)
    }
}

/// A loop over the numbers that a device without anything else reports; a gap is a negative number.
final class NumberLoop: Sendable {
    /// The smallest client.
    struct Client: DeviceClient {
        typealias Channel = Never

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

    /// A transport with a time, and no devices.
    private struct EmptyTransport: BLETransport {
        let time: any TransportTime
        var features: TransportFeatures { VirtualBluetooth().features }
        var adapterState: AdapterState { .poweredOn }

        func observeAdapter(
            _ change: @escaping @Sendable (AdapterState) -> Void
        ) -> BLECancellable { BLECancellable {} }

        func startScan(
            _ filter: ScanFilter,
            _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
        ) -> BLECancellable { BLECancellable {} }

        func openLink(
            to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
            completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
        ) -> BLECancellable { BLECancellable {} }
    }

    private let connection: DeviceConnection<Client>
    private let loop: Loop<Client, Int>

    init(limit: Int, _ kind: WaitKind, _ time: any TransportTime) {
        connection = DeviceConnection(
            to: PeripheralIdentity("numbers"), over: EmptyTransport(time: time),
            reconnect: .never, bufferLimit: limit, Client(numbers: Consumers(limit: limit) { -$0 }))
        loop = Loop(connection, holding: connection, kind, among: \.client.numbers)
    }

    func send(_ number: Int) { connection.withClient { client, _ in client.numbers.send(number) } }

    func finish(_ end: Result<Void, DeviceError>) {
        connection.withClient { client, _ in client.numbers.finish(end) }
    }

    nonisolated(nonsending) func next() async throws(DeviceError) -> Int? {
        try await loop.next()
    }
}
