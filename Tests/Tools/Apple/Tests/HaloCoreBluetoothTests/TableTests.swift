import Foundation
import HaloProtocol
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// The tables of a central.
@Suite struct TableTests {
    @Test func observersAreCalledAtChangesOnlyAndInOrder() {
        let calls = Calls<Int>()
        var board = AdapterBoard()
        let numbers = (0..<9).map { number in board.add { _ in calls.note(number) } }
        #expect(Set(numbers).count == 9)
        board.remove(numbers[3])
        for observer in board.change(to: .poweredOn) { observer(.poweredOn) }
        #expect(calls.all == [0, 1, 2, 4, 5, 6, 7, 8])
        #expect(board.state == .poweredOn)
        #expect(board.change(to: .poweredOn).isEmpty)
        #expect(board.change(to: .poweredOff).count == 8)
    }

    @Test func eachStateOfTheSystemHasItsState() {
        let states: [(CBManagerState, AdapterState, BLEError.Kind?)] = [
            (.unknown, .unknown, nil), (.resetting, .unknown, nil),
            (.unsupported, .unsupported, .noBluetooth),
            (.unauthorized, .unauthorized, .unauthorized),
            (.poweredOff, .poweredOff, .bluetoothOff), (.poweredOn, .poweredOn, nil),
        ]
        for (system, state, failure) in states {
            #expect(AdapterState(system) == state)
            #expect(state.failure == failure)
        }
    }

    /// A full table drops the device that was reported the longest time ago.
    @Test func aFullTableDropsTheOldestReport() {
        let system = Phone().system
        var table = PeripheralTable()
        let peripherals = (0..<258).map { _ in
            CBPeripheral(UUID(), name: nil, manager: nil, system: system)
        }
        for peripheral in peripherals.prefix(256) { table.insert(peripheral) }
        for peripheral in peripherals.prefix(256) {
            #expect(table[peripheral.identifier] === peripheral)
        }
        // The first one is reported again, so that the second and the third are the oldest.
        table.insert(peripherals[0])
        for peripheral in peripherals.suffix(2) { table.insert(peripheral) }
        let missing = peripherals.indices.filter { table[peripherals[$0].identifier] == nil }
        #expect(missing == [1, 2])
        table.removeAll()
        #expect(peripherals.allSatisfy { table[$0.identifier] == nil })
    }

    /// Other tests wait for these times as they are.
    @Test func timesAreAsDescribed() {
        let times: [(Duration, milliseconds: Int)] = [
            (CentralCore.endLimit, 5000), (CentralCore.settlingTime, 2000),
            (PeripheralLink.roomLimit, 2000), (PeripheralLink.laterRoomLimit, 100),
            (PeripheralLink.roomInterval, 50), (PeripheralLink.replyLimit, 60_000),
            (PeripheralLink.rssiLimit, 5000), (PeripheralLink.suspensionLimit, 1000),
            (HostCore.describingLimit, 2000), (HostCore.addingLimit, 5000),
            (HostCore.idleLimit, 30_000), (HostCore.responseLimit, 25_000),
            (HostCore.interval, 1000), (HostCore.retryInterval, 50),
        ]
        for (time, milliseconds) in times { #expect(time == .milliseconds(milliseconds)) }
        #expect(AccessorySetup.completionLimit == .seconds(1))
        #expect(AccessorySetup.presentationLimit == .seconds(10))
    }

    /// Attributes keep their numbers in a second discovery; others never get a number again.
    @Test func numbersOfAttributesAreUsedOnce() throws {
        let services = (0..<2).map { Self.service(number: $0) }
        var attributes = PeripheralAttributes()
        let first = attributes.replace(with: services).flatMap(\.characteristics)
        #expect(first.map(\.id.rawValue) == [1, 3])
        // The descriptor that switches notifications is the system's.
        #expect(first.map { $0.descriptors.map(\.id.rawValue) } == [[2], [4]])
        let descriptor = try #require(services[1].characteristics?.first?.descriptors?.last)
        #expect(attributes[AttributeID(4)] === descriptor)
        #expect(!(attributes[AttributeID(4)] is CBCharacteristic))
        #expect(attributes.number(descriptor) == AttributeID(4))

        attributes.remove([services[1]])
        #expect(attributes[AttributeID(4)] == nil)
        #expect(attributes.number(descriptor) == nil)
        #expect(attributes[AttributeID(1)] != nil)
        let again = attributes.replace(with: services).flatMap(\.characteristics)
        #expect(again.map(\.id.rawValue) == [1, 5])
        #expect(again.map { $0.descriptors.map(\.id.rawValue) } == [[2], [6]])
        #expect(attributes[AttributeID(6)] === descriptor)
        let kept = try #require(services[0].characteristics?.first)
        #expect(attributes.number(kept) == AttributeID(1))
        #expect(attributes[AttributeID(1)] === kept)
    }

    /// Each reply of the system counts once.
    @Test func aDiscoveryIsCompleteAfterAllReplies() throws {
        let peripheral = CBPeripheral(UUID(), name: nil, manager: nil, system: Phone().system)
        let services = (0..<2).map { Self.service(number: $0) }
        let characteristics = services.compactMap { $0.characteristics?.first }
        peripheral.services = services
        var discovery = LinkDiscovery(peripheral)
        #expect(discovery.received(services[0], peripheral) == false)
        #expect(!discovery.isComplete)
        #expect(discovery.receivedServices(peripheral) == true)
        #expect(discovery.receivedServices(peripheral) == false)
        for service in services {
            #expect(!discovery.isComplete)
            #expect(discovery.received(service, peripheral) == true)
            #expect(discovery.received(service, peripheral) == false)
        }
        for characteristic in characteristics {
            #expect(!discovery.isComplete)
            #expect(discovery.received(characteristic) == true)
            #expect(discovery.received(characteristic) == false)
        }
        #expect(discovery.isComplete)
    }

    /// The errors of requests that wait for their turn when the link ends.
    @Test func eachRequestFailsWithItsOperation() {
        let calls = Calls<BLEError.Operation>()
        @Sendable func note<Value>(_ result: Result<Value, BLEError>) {
            if case .failure(let error) = result { calls.note(error.operation) }
        }
        let id = AttributeID(1)
        let requests: [(LinkRequest, BLEError.Operation)] = [
            (.discover { note($0) }, .discover), (.read(id) { note($0) }, .read),
            (.write([], id, .withResponse) { note($0) }, .write),
            (.setNotify(true, id) { note($0) }, .subscribe),
            (.setNotify(false, id) { note($0) }, .unsubscribe), (.readRSSI { note($0) }, .readRSSI),
        ]
        for (request, operation) in requests {
            #expect(request.operation == operation)
            request.fail(BLEError(.disconnected, request.operation))
        }
        #expect(calls.all == requests.map(\.1))
    }

    private static func service(number: Int) -> CBService {
        let service = CBMutableService(
            type: CBUUID(data: Data([0xA0, UInt8(number)])), primary: true)
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(string: "B000"), properties: .notify, value: nil, permissions: .readable)
        characteristic.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: "2902"), value: nil),
            CBMutableDescriptor(type: CBUUID(string: "2901"), value: "text"),
        ]
        service.characteristics = [characteristic]
        return service
    }
}

/// The requests of a central to a hosted device.
@Suite struct HostRequestTests {
    private let characteristics = (0..<2).map { _ in
        CBMutableCharacteristic(
            type: CBUUID(string: "B000"), properties: .write, value: nil, permissions: .writeable)
    }

    private func write(_ index: Int, _ offset: Int, _ value: [UInt8]?) -> CBATTRequest {
        CBATTRequest(
            CBCentral(UUID(), length: CoreBluetooth.Guarded(20)), characteristics[index],
            offset: offset, value: value.map { Data($0) }, token: nil, isRead: false)
    }

    private func values(_ requests: [CBATTRequest]) -> [[UInt8]]? {
        HostRequests.values(of: requests)?.map(\.1)
    }

    @Test func piecesOfALongValueAreJoined() {
        let pieces = [write(0, 0, [1, 2]), write(0, 2, [3]), write(0, 3, [4])]
        #expect(values(pieces) == [[1, 2, 3, 4]])
        let two = [write(0, 0, [1]), write(0, 1, [2]), write(0, 0, [3])]
        #expect(values(two) == [[1, 2], [3]])
        #expect(values([write(1, 0, nil)]) == [[]])
    }

    /// A piece that does not begin where the one before it ends, or that is another's.
    @Test func piecesThatDoNotFitAreRefused() {
        #expect(values([write(0, 1, [1])]) == nil)
        #expect(values([write(0, 0, [1, 2]), write(0, 1, [3])]) == nil)
        #expect(values([write(0, 0, [1, 2]), write(0, 3, [3])]) == nil)
        #expect(values([write(0, 0, [1]), write(1, 1, [2])]) == nil)
    }

    @Test func requestsEndOnceAndInOrder() {
        var requests = HostRequests()
        #expect(requests.isEmpty)
        let tokens = (1...64).map { number in
            #expect(!requests.isFull)
            return requests.add(.descriptor(AttributeID(UInt32(number))))
        }
        #expect(requests.isFull)
        #expect(Set(tokens).count == 64)
        #expect(requests.remove(tokens[5]) != nil)
        #expect(requests.remove(tokens[5]) == nil)
        #expect(!requests.isFull)
        #expect(requests.removeAll(olderThan: .seconds(60)).isEmpty)
        let rest = requests.removeAll(olderThan: .zero).compactMap { request in
            if case .descriptor(let id) = request { Int(id.rawValue) } else { nil }
        }
        #expect(rest == (1...64).filter { $0 != 6 })
        #expect(requests.isEmpty)
    }
}

/// What the threads of an app see of a hosted device.
@Suite(.timeLimit(.minutes(20))) struct HostHandleTests {
    private static func note(_ number: Int) -> HostingNote { HostingNote(.values, "\(number)") }

    @Test func notesAreKeptOnceAndUpToALimit() {
        let handle = HostHandle {}
        for number in [1, 2, 1] { handle.note(Self.note(number)) }
        #expect(handle.notes == [Self.note(1), Self.note(2)])
        for number in 3...100 { handle.note(Self.note(number)) }
        #expect(handle.notes == (1...64).map(Self.note))
    }

    @Test func theFirstEndCounts() async {
        let calls = Calls<String>()
        let handle = HostHandle { calls.note("removal") }
        handle.connected(true)
        #expect(handle.isConnected)
        #expect(!handle.hasEnded)
        async let waiting = handle.waitUntilEnded()
        handle.end(BLEError(.bluetoothOff, .host))
        handle.end(nil)
        #expect(handle.hasEnded)
        #expect(!handle.isConnected)
        #expect(await waiting?.kind == .bluetoothOff)
        #expect(await handle.waitUntilEnded()?.kind == .bluetoothOff)
        #expect(calls.all == [])
        // The removal of what has ended returns.
        await handle.remove()
        #expect(calls.all == ["removal"])
    }

    /// A cancelled wait leaves nothing, and the end calls the others.
    @Test func aCancelledWaitEndsAlone() async {
        let handle = HostHandle {}
        let cancelled = Task { await handle.waitUntilEnded() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let others = (0..<3).map { _ in Task { await handle.waitUntilEnded() } }
        try? await pass(.milliseconds(20))
        handle.end(BLEError(.unauthorized, .host))
        for other in others { #expect(await other.value?.kind == .unauthorized) }
    }

    /// A function that is delayed runs after the delay, with its fraction of a second, and never
    /// once the state is gone.
    @Test func aDelayedFunctionRunsAfterItsDelay() async {
        let queue = DispatchQueue(label: "delays")
        var confined: Confined<NSObject>? = Confined(NSObject(), to: queue)
        let calls = Calls<String>()
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            confined?.run(after: .milliseconds(300)) { _ in continuation.resume() }
        }
        #expect(start.duration(to: .now) >= .milliseconds(300))
        confined?.run(after: .milliseconds(20)) { _ in calls.note("late") }
        confined = nil
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + 0.1) { continuation.resume() }
        }
        #expect(calls.all == [])
    }

    @Test func aReplyHasItsFirstValue() async {
        let reply = Reply<Int>()
        reply.send(1)
        reply.send(2)
        #expect(await reply.value(ifCancelled: 3) == 1)
        let late = Reply<Int>()
        async let value = late.value(ifCancelled: 3)
        late.send(4)
        #expect(await value == 4)
    }
}

/// The services of a hosted device as the system's objects.
@Suite struct HostedDatabaseTests {
    private static func service(
        _ properties: GATTProperties, _ permissions: GATTPermissions = [],
        descriptors: [GATTDescriptor] = []
    ) -> GATTService {
        GATTService(
            BluetoothUUID(0xA000),
            characteristics: [
                GATTCharacteristic(
                    AttributeID(1), BluetoothUUID(0xB000), properties, permissions: permissions,
                    descriptors: descriptors)
            ])
    }

    private static func made(
        _ properties: GATTProperties, _ permissions: GATTPermissions = []
    ) -> CBMutableCharacteristic? {
        HostedDatabase([service(properties, permissions)], values: [:]).object(AttributeID(1))
    }

    @Test func permissionsFollowTheProperties() {
        #expect(Self.made(.read)?.permissions == .readable)
        #expect(Self.made(.read, .readEncrypted)?.permissions == .readEncryptionRequired)
        #expect(Self.made(.write)?.permissions == .writeable)
        #expect(Self.made(.writeWithoutResponse)?.permissions == .writeable)
        #expect(Self.made(.write, .writeEncrypted)?.permissions == .writeEncryptionRequired)
        #expect(Self.made([.read, .write])?.permissions == [.readable, .writeable])
        #expect(Self.made(.notify)?.permissions == [])
        // What cannot be read is not readable, also if reading it had to be encrypted.
        #expect(Self.made(.notify, [.readEncrypted, .writeEncrypted])?.permissions == [])
    }

    @Test func subscriptionsCanNeedEncryption() {
        #expect(Self.made(.notify)?.properties == .notify)
        #expect(Self.made(.indicate)?.properties == .indicate)
        let encrypted: [(GATTProperties, CBCharacteristicProperties)] = [
            (.notify, .notifyEncryptionRequired), (.indicate, .indicateEncryptionRequired),
            ([.read, .notify], [.read, .notifyEncryptionRequired]), (.read, .read),
        ]
        for (properties, system) in encrypted {
            #expect(Self.made(properties, .subscribeEncrypted)?.properties == system)
        }
    }

    /// The system does not let an app have these.
    @Test func propertiesOfTheSystemAreLeftOut() {
        #expect(Self.made(GATTProperties(rawValue: 0x83))?.properties == .read)
    }

    @Test func servicesOfTheSystemAreLeftOut() {
        let services = [0x1800, 0x1801, 0x180D].map {
            GATTService(BluetoothUUID($0), characteristics: [])
        }
        var database = HostedDatabase(services, values: [:])
        #expect(
            database.notes
                == services.prefix(2).map {
                    HostingNote(.service, uuid: $0.uuid, "the system has this service")
                })
        let next = database.nextService()
        #expect(next.map { BluetoothUUID($0.uuid) } == BluetoothUUID(0x180D))
        #expect(next?.isPrimary == true)
        // The system refuses the short form of some services.
        #expect(next?.uuid.data.count == 16)
        #expect(database.nextService() == nil)
    }

    /// Texts and formats are published with their values, and all else has a note.
    @Test func descriptorsAreTextsAndFormats() throws {
        let uuids = [0x2901, 0x2904, 0x2901, 0x2900].map { BluetoothUUID($0) }
        let descriptors = uuids.enumerated().map {
            GATTDescriptor(AttributeID(UInt32(10 + $0.offset)), $0.element)
        }
        let service = Self.service(.read, descriptors: descriptors)
        #expect(
            HostedDatabase.descriptors(of: [service]).map(\.id)
                == [10, 11, 12].map { AttributeID($0) })
        let database = HostedDatabase(
            [service], values: [AttributeID(10): Array("a text".utf8), AttributeID(11): [4, 0]])
        let made = try #require(database.object(AttributeID(1))?.descriptors)
        #expect(made.count == 2)
        #expect(made.first?.value as? String == "a text")
        #expect(made.last?.value as? Data == Data([4, 0]))
        #expect(
            database.notes == [
                HostingNote(
                    .descriptor, uuid: uuids[2], "the device has not responded with its value"),
                HostingNote(
                    .descriptor, uuid: uuids[3],
                    "the system publishes descriptions and formats only"),
            ])
        let object = try #require(database.object(AttributeID(1)))
        #expect(database.number(object) == AttributeID(1))
        #expect(Self.made(.read)?.descriptors == nil)
    }
}

/// What functions were called with, in order.
final class Calls<Value: Sendable>: Sendable {
    private let noted = HaloCoreBluetooth.Guarded<[Value]>([])

    /// What was noted.
    var all: [Value] { noted.withLock { $0 } }

    /// Notes a call.
    func note(_ value: Value) { noted.withLock { $0.append(value) } }
}
