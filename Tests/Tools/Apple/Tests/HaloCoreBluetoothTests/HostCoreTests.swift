import Foundation
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// A hosted device against a manager that the test speaks for: several centrals, refusals, and
/// systems that do not reply.
@Suite(.timeLimit(.minutes(20))) struct HostCoreTests {
    @Test func theServicesArePublishedOneAfterTheOther() async throws {
        let host = HostBench(services: [Self.service(1), Self.service(2)])
        await host.powerOn()
        // The second one waits for the first.
        #expect(await host.added == 1)
        await host.confirm(error: nil)
        #expect(await host.added == 2)
        // A late confirmation of a service is none of another one.
        await host.on { core, manager in
            core.peripheralManager(
                manager, didAdd: manager.services[0], error: CBError(.uuidNotAllowed))
        }
        #expect(host.calls.all == ["start"])
        #expect(host.handle.notes == [])
        await host.confirm(error: CBError(.uuidNotAllowed))
        #expect(host.calls.all.contains("ready"))
        let note = try #require(host.handle.notes.first)
        #expect(note.kind == .service)
        #expect(note.uuid == BluetoothUUID(0xA002))
        #expect(host.handle.notes.count == 1)
        await host.confirm(error: CBError(.uuidNotAllowed))
        #expect(host.handle.notes.count == 1)
    }

    /// The state may come before the manager that was made on the app's thread.
    @Test func theFirstStateBringsTheManager() async throws {
        let host = HostBench(services: [Self.service(1)])
        await host.on { core, manager in core.peripheralManagerDidUpdateState(manager) }
        #expect(await host.added == 1)
    }

    /// The system neither publishes a service nor refuses it.
    @Test func aServiceThatIsNotConfirmedIsGivenUp() async throws {
        let host = HostBench(services: [Self.service(1)])
        let start = ContinuousClock.now
        await host.powerOn()
        #expect(await eventually { host.calls.all.contains("ready") })
        #expect(start.duration(to: .now) >= HostCore.addingLimit)
        #expect(host.handle.notes.map(\.kind) == [.service])
    }

    /// A device that does not give the value of a descriptor is published without it.
    @Test func aDescriptorWithoutAValueIsLeftOut() async throws {
        let descriptor = GATTDescriptor(AttributeID(9), BluetoothUUID(0x2901))
        let host = HostBench(services: [Self.service(1, descriptors: [descriptor])])
        let start = ContinuousClock.now
        await host.powerOn()
        #expect(await host.added == 0)
        #expect(await eventually { await host.added == 1 })
        #expect(start.duration(to: .now) >= HostCore.describingLimit)
        #expect(host.handle.notes.map(\.kind) == [.descriptor])
    }

    @Test func theDescriptorOfTheDeviceIsPublished() async throws {
        let descriptor = GATTDescriptor(AttributeID(9), BluetoothUUID(0x2901))
        let host = HostBench(services: [Self.service(1, descriptors: [descriptor])])
        await host.powerOn()
        let token = try #require(
            host.device.events.all.lazy.compactMap { event in
                if case .read(AttributeID(9), 0, let token) = event { token } else { nil }
            }.first)
        await host.on { core, _ in core.perform(.value(Array("text".utf8), token)) }
        #expect(await host.added == 1)
        let values = await host.on { _, manager in
            manager.services.last?.characteristics?.first?.descriptors?.map { $0.value as? String }
        }
        #expect(values == ["text"])
    }

    /// While a central is subscribed, requests of another one are refused.
    @Test func aSecondCentralIsRefusedWhileTheFirstIsSubscribed() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 1))
            core.peripheralManager(
                manager, central: manager.central(1), didSubscribeTo: manager.characteristic)
            // The end of a subscription that is not there.
            core.peripheralManager(
                manager, central: manager.central(1), didUnsubscribeFrom: manager.characteristic)
        }
        #expect(await host.responses == [.insufficientResources])
        #expect(
            host.device.events.all == [
                .connected, .maximumLength(20), .subscription(AttributeID(1), isOn: true),
            ])
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didUnsubscribeFrom: manager.characteristic)
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 1))
        }
        #expect(
            host.device.events.all.dropFirst(3).prefix(4) == [
                .subscription(AttributeID(1), isOn: false), .disconnected, .connected,
                .maximumLength(20),
            ])
        #expect(host.handle.isConnected)
    }

    /// Without a subscription, a request of another central ends the connection of the first.
    @Test func anotherCentralTakesThePlaceOfOneWithoutSubscription() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 1))
        }
        let connections = host.device.events.all.filter {
            [.connected, .disconnected].contains($0)
        }
        #expect(connections == [.connected, .disconnected, .connected])
        #expect(await host.responses == [])
    }

    /// A second subscription of the same characteristic is none; the advertisement pauses with the
    /// first, and continues after the last.
    @Test func subscriptionsCountOnce() async throws {
        let host = try await HostBench.serving()
        #expect(await host.isAdvertising)
        await host.on { core, manager in
            for _ in 0..<2 {
                core.peripheralManager(
                    manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            }
        }
        #expect(await !host.isAdvertising)
        await host.on { core, manager in
            for _ in 0..<2 {
                core.peripheralManager(
                    manager, central: manager.central(0),
                    didUnsubscribeFrom: manager.characteristic)
            }
        }
        #expect(await host.isAdvertising)
        // Neither is a length that has not changed reported again.
        #expect(host.device.events.all.filter { $0 == .maximumLength(20) }.count == 1)
        let subscriptions = host.device.events.all.compactMap { event in
            if case .subscription(_, let isOn) = event { isOn } else { nil }
        }
        #expect(subscriptions == [true, false])
    }

    /// Requests beyond the limit are refused at once.
    @Test func requestsAreLimited() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            for _ in 0...64 {
                core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
            }
        }
        #expect(await host.responses == [.insufficientResources])
    }

    /// Each list of writes has one response: the first error, or success after the last value.
    @Test func aListOfWritesHasOneResponse() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, didReceiveWrite: [manager.write([1]), manager.write([2])])
        }
        var tokens = host.device.writes
        #expect(tokens.map(\.value) == [[1], [2]])
        await host.on { [tokens] core, _ in core.perform(.done(tokens[0].token)) }
        #expect(await host.responses == [])
        await host.on { [tokens] core, _ in core.perform(.done(tokens[1].token)) }
        #expect(await host.responses == [.success])
        await host.on { core, manager in
            core.peripheralManager(
                manager, didReceiveWrite: [manager.write([3]), manager.write([4])])
        }
        tokens = Array(host.device.writes.dropFirst(2))
        await host.on { [tokens] core, _ in
            core.perform(.refuse(ATTError(code: 0x81), tokens[0].token))
            core.perform(.refuse(ATTError(code: 0x82), tokens[1].token))
        }
        #expect(await host.responses == [.success, CBATTError.Code(rawValue: 0x81)])
    }

    /// Values of a length that attributes cannot have, and pieces without a beginning.
    @Test func writesThatCannotBeAreRefused() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            let longest = [UInt8](repeating: 1, count: 512)
            core.peripheralManager(manager, didReceiveWrite: [manager.write(longest)])
            core.peripheralManager(manager, didReceiveWrite: [manager.write(longest + [1])])
            core.peripheralManager(manager, didReceiveWrite: [manager.write([1], offset: 3)])
            core.peripheralManager(
                manager, didReceiveWrite: [manager.write([1]), manager.write([1], isKnown: false)])
            core.peripheralManager(manager, didReceiveWrite: [manager.write([1], isKnown: false)])
            core.peripheralManager(manager, didReceiveWrite: [])
        }
        #expect(host.device.writes.map(\.value.count) == [512])
        #expect(
            await host.responses == [
                .invalidAttributeValueLength, .invalidOffset, .attributeNotFound,
                .attributeNotFound,
            ])
    }

    /// Values wait in order while the system has no room, up to a limit.
    @Test func valuesWaitForRoomUpToALimit() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            manager.room = 2
            for number in 0...4098 {
                core.perform(.notify(AttributeID(1), [UInt8(truncatingIfNeeded: number)]))
            }
        }
        #expect(await host.updates == [[0], [1]])
        // The last of them found no place.
        #expect(host.handle.notes.map(\.kind) == [.values])
        await host.on { core, manager in
            manager.room = 3
            core.peripheralManagerIsReady(toUpdateSubscribers: manager)
        }
        #expect(await host.updates == [[0], [1], [2], [3], [4]])
        // They wait for one attempt at a time, and not each for its own.
        let refusals = await host.on { $1.refusals }
        try await pass(.milliseconds(200))
        #expect(await host.on { $1.refusals } - refusals < 4000)
        // Without a report of room, they are sent, too.
        await host.on { _, manager in manager.room = .max }
        let count = 4098
        #expect(await eventually { await host.updates.count == count })
        #expect(await host.updates == (0..<count).map { [UInt8(truncatingIfNeeded: $0)] })
    }

    /// A value of an attribute that the device does not have costs no other one.
    @Test func aValueOfAnUnknownAttributeIsDropped() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            manager.room = 0
            for number in [1, 99, 1] as [UInt32] {
                core.perform(.notify(AttributeID(number), [UInt8(number)]))
            }
            manager.room = .max
            core.peripheralManagerIsReady(toUpdateSubscribers: manager)
        }
        #expect(await host.updates == [[1], [1]])
    }

    /// The system may make a new object of a central for each link.
    @Test func valuesAreForTheLatestObjectOfACentral() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            manager.renewCentral()
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
            core.perform(.notify(AttributeID(1), [1]))
        }
        #expect(await host.on { $1.receivers } == [0])
        #expect(host.device.events.all.filter { $0 == .connected }.count == 1)
    }

    /// An indication is confirmed when the system has accepted it, and a notification never.
    @Test func onlyIndicationsAreConfirmed() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.perform(.indicate(AttributeID(1), [0]))
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            for value in [1, 2] as [UInt8] { core.perform(.notify(AttributeID(1), [value])) }
            core.perform(.indicate(AttributeID(1), [3]))
        }
        let events = host.device.events.all
        #expect(events.filter { $0 == .confirmed(AttributeID(1)) }.count == 1)
        #expect(events.last == .confirmed(AttributeID(1)))
        #expect(await host.updates == [[0], [1], [2], [3]])
        // A value before the subscription is for whoever has subscribed.
        #expect(await host.on { $1.receivers } == [nil, 0, 0, 0])
    }

    /// A central that makes no more requests is gone after a while; one with a subscription stays.
    @Test func aSilentCentralIsGoneAfterAWhile() async throws {
        let silent = try await HostBench.serving()
        let subscribed = try await HostBench.serving()
        var start = ContinuousClock.now
        for number in 0..<2 {
            // Its last request counts.
            if number > 0 { try await pass(.milliseconds(1500)) }
            start = .now
            await silent.on { core, manager in
                core.peripheralManager(manager, didReceiveWrite: [manager.write([1])])
            }
            await silent.on { [token = silent.device.writes[number].token] core, _ in
                core.perform(.done(token))
            }
        }
        await subscribed.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
        }
        #expect(await eventually { !silent.handle.isConnected })
        #expect(start.duration(to: .now) >= HostCore.idleLimit)
        #expect(silent.device.events.all.last == .disconnected)
        #expect(subscribed.handle.isConnected)
    }

    /// A request that the device does not respond to has a response before the central gives up.
    @Test func aSilentDeviceResponds() async throws {
        let host = try await HostBench.serving()
        let start = ContinuousClock.now
        await host.on { core, manager in
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
        }
        #expect(await eventually { await host.responses == [.unlikelyError] })
        #expect(start.duration(to: .now) >= HostCore.responseLimit)
        #expect(start.duration(to: .now) < HostCore.idleLimit)
        #expect(host.handle.isConnected)
    }

    @Test func theIntervalIsALatencyOfTheSystem() async throws {
        let host = try await HostBench.serving()
        let intervals = [15, 29, 30, 99, 100, 500]
        await host.on { core, manager in
            // Without a central there is nobody to ask.
            core.perform(HostBench.parameters(15))
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
            for interval in intervals { core.perform(HostBench.parameters(interval)) }
        }
        #expect(
            await host.on { _, manager in manager.latencies }
                == [.low, .low, .medium, .medium, .high, .high])
    }

    /// Closing the link is a note, and the next request a new connection.
    @Test func aClosedLinkIsANewConnection() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            manager.room = 0
            core.perform(.notify(AttributeID(1), [1]))
            core.perform(.disconnect)
            // What waits is for the link that has ended.
            manager.room = .max
            core.peripheralManagerIsReady(toUpdateSubscribers: manager)
        }
        #expect(!host.handle.isConnected)
        #expect(host.handle.notes.map(\.kind) == [.link])
        #expect(await host.isAdvertising)
        #expect(await host.updates == [])
        await host.on { core, manager in
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
        }
        #expect(host.handle.isConnected)
        #expect(host.device.events.all.filter { $0 == .connected }.count == 2)
    }

    @Test func anAdvertisementThatFailsHasANote() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManagerDidStartAdvertising(manager, error: nil)
            core.peripheralManagerDidStartAdvertising(manager, error: CBError(.outOfSpace))
        }
        #expect(host.handle.notes.map(\.kind) == [.advertisement])
    }

    /// While Bluetooth is off the device pauses: what was open is forgotten, and the services are
    /// published anew.
    @Test func aPauseForgetsWhatIsOpen() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            core.peripheralManager(manager, didReceiveWrite: [manager.write([1])])
            manager.room = 0
            core.perform(.notify(AttributeID(1), [1]))
            manager.reported = .poweredOff
            core.peripheralManagerDidUpdateState(manager)
        }
        #expect(!host.handle.isConnected)
        #expect(host.device.events.all.last == .disconnected)
        let token = try #require(host.device.writes.first).token
        await host.on { core, manager in
            manager.room = .max
            core.perform(.done(token))
            core.perform(.servicesChanged)
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            manager.services = []
            manager.isOnAir = false
            manager.reported = .poweredOn
            core.peripheralManagerDidUpdateState(manager)
        }
        #expect(!host.handle.isConnected)
        #expect(await host.added == 1)
        #expect(await !host.isAdvertising)
        await host.confirm(error: nil)
        #expect(await host.isAdvertising)
        #expect(await host.responses == [])
        #expect(await host.updates == [])
        #expect(host.calls.all == ["start", "ready"])
    }

    /// Changed services end the subscriptions of the old ones, and a central subscribes again.
    @Test func changedServicesArePublishedAnew() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(
                manager, central: manager.central(0), didSubscribeTo: manager.characteristic)
            manager.room = 0
            core.perform(.notify(AttributeID(1), [0]))
            core.perform(.servicesChanged)
            manager.room = .max
            // Nothing is sent before the services are there.
            core.perform(.notify(AttributeID(1), [1]))
        }
        #expect(host.device.events.all.last == .subscription(AttributeID(1), isOn: false))
        #expect(await host.added == 1)
        #expect(await host.updates == [])
        #expect(await !host.isAdvertising)
        await host.confirm(error: nil)
        #expect(await host.isAdvertising)
        await host.on { core, manager in
            // Nor is the value of an old one sent afterwards.
            core.peripheralManagerIsReady(toUpdateSubscribers: manager)
            core.perform(.servicesChanged)
        }
        #expect(await host.updates == [])
        // A device without services is not advertised.
        #expect(await !host.isAdvertising)
        #expect(host.handle.isConnected)
        #expect(host.calls.all == ["start", "ready"])
    }

    /// A permission that is taken away ends the hosting.
    @Test(arguments: [
        (CBManagerState.unauthorized, BLEError.Kind.unauthorized), (.unsupported, .noBluetooth),
    ])
    func aForbiddenDeviceEnds(_ state: CBManagerState, _ kind: BLEError.Kind) async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            manager.reported = state
            core.peripheralManagerDidUpdateState(manager)
        }
        #expect(await host.handle.waitUntilEnded()?.kind == kind)
        #expect(host.calls.all == ["start", "ready", "ended"])
        #expect(host.device.isStopped)
    }

    /// The app may host again as soon as it learns that hosting has failed: so the end comes first.
    @Test func hostingThatFailsIsOverBeforeTheAppLearnsOfIt() async throws {
        let host = HostBench(services: [Self.service(1)])
        await host.on { core, manager in
            core.use(manager)
            manager.reported = .unauthorized
            core.peripheralManagerDidUpdateState(manager)
        }
        #expect(host.calls.all == ["ended", "failed"])
        #expect(await host.handle.waitUntilEnded()?.kind == .unauthorized)
    }

    /// After the end nothing is done, and the end comes once.
    @Test func theEndIsTheEnd() async throws {
        let host = try await HostBench.serving()
        await host.on { core, manager in
            core.peripheralManager(manager, didReceiveRead: manager.read(by: 0))
            core.end(nil)
            core.end(BLEError(.backend, .host))
            core.perform(.notify(AttributeID(1), [1]))
            core.peripheralManagerDidUpdateState(manager)
        }
        #expect(await host.responses == [.unlikelyError])
        #expect(await host.updates == [])
        #expect(await !host.isAdvertising)
        #expect(await host.on { _, manager in manager.services.isEmpty })
        #expect(host.calls.all == ["start", "ready", "ended"])
        #expect(host.device.isStopped)
        #expect(await host.handle.waitUntilEnded() == nil)
    }

    static func service(_ number: UInt32, descriptors: [GATTDescriptor] = []) -> GATTService {
        GATTService(
            BluetoothUUID(0xA000 + number),
            characteristics: [
                GATTCharacteristic(
                    AttributeID(number), BluetoothUUID(0xB000 + number), [.read, .write, .notify],
                    descriptors: descriptors)
            ])
    }
}

/// A core on its queue, with a device and a manager that note what they are called with.
private final class HostBench: Sendable {
    let device: NotingDevice
    let handle = HostHandle {}
    let calls = Calls<String>()
    private let home: Confined<HostCore>
    private let manager: Carried

    /// The manager, which only the core's queue uses.
    private struct Carried: @unchecked Sendable {
        let manager: NotingManager
    }

    init(services: [GATTService]) {
        let queue = DispatchQueue(label: "host")
        let device = NotingDevice(services)
        self.device = device
        home = Confined(
            HostCore(
                device, start: { [calls] in calls.note("start") }, handle: handle,
                ready: { [calls] result in
                    if case .success = result { calls.note("ready") } else { calls.note("failed") }
                },
                whenEnded: { [calls] in calls.note("ended") }),
            to: queue)
        manager = Carried(manager: NotingManager(delegate: nil, queue: queue))
        home.run { [weak home] in $0.home = home }
    }

    /// A bench with one service, which is published and advertised.
    static func serving() async throws -> HostBench {
        let host = HostBench(services: [HostCoreTests.service(1)])
        await host.powerOn()
        await host.confirm(error: nil)
        let data = AdvertisingData.connectable(name: "noting", services: [])
        await host.on { core, _ in core.perform(.advertise(PeripheralAdvertisement(data))) }
        return host
    }

    /// Runs a function with the core and the manager on their queue.
    @discardableResult func on<Result: Sendable>(
        _ body: @escaping @Sendable (HostCore, NotingManager) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            home.run { [manager] core in
                continuation.resume(returning: body(core, manager.manager))
            }
        }
    }

    func powerOn() async {
        await on { core, manager in
            core.use(manager)
            core.peripheralManagerDidUpdateState(manager)
        }
    }

    /// Confirms the last service, or refuses it.
    func confirm(error: (any Error)?) async {
        let error = error.map { $0 as NSError }
        await on { core, manager in
            guard let service = manager.services.last else { return }
            core.peripheralManager(manager, didAdd: service, error: error)
        }
    }

    var added: Int { get async { await on { $1.services.count } } }
    var responses: [CBATTError.Code?] { get async { await on { $1.responses } } }
    var updates: [[UInt8]] { get async { await on { $1.updates } } }
    var isAdvertising: Bool { get async { await on { $1.isOnAir } } }

    static func parameters(_ milliseconds: Int) -> PeripheralEffect {
        .requestParameters(
            LinkParameters(
                interval: .milliseconds(milliseconds), latency: 0,
                supervisionTimeout: .seconds(5)))
    }
}

/// A device that notes its events.
private final class NotingDevice: PeripheralHosting {
    let services: [GATTService]
    let events = Calls<PeripheralEvent>()
    private let stops = Calls<Void>()

    init(_ services: [GATTService]) { self.services = services }

    func handle(_ event: PeripheralEvent) { events.note(event) }

    func stop() { stops.note(()) }

    var isStopped: Bool { stops.all.count == 1 }

    /// The writes, with the tokens for their responses.
    var writes: [(value: [UInt8], token: ResponseToken)] {
        events.all.compactMap { event in
            if case .write(_, let value, let token?) = event { (value, token) } else { nil }
        }
    }
}

/// A manager that does nothing but note its calls. The test calls the delegate.
private final class NotingManager: CBPeripheralManager {
    var services: [CBMutableService] = []
    var responses: [CBATTError.Code?] = []
    var updates: [[UInt8]] = []
    var latencies: [CBPeripheralManagerConnectionLatency] = []
    var isOnAir = false
    var reported = CBManagerState.poweredOn
    /// The number of updates that are accepted.
    var room = Int.max
    /// The number of updates that were not accepted.
    var refusals = 0
    /// The positions of the centrals that updates were for; `nil` for an update for all.
    var receivers: [Int?] = []
    private var centrals = (0..<2).map { _ in
        CBCentral(UUID(), length: CoreBluetooth.Guarded(20))
    }
    private let unknown = CBMutableCharacteristic(
        type: CBUUID(string: "B00F"), properties: .write, value: nil, permissions: .writeable)

    override var state: CBManagerState { reported }

    override func add(_ service: CBMutableService) { services.append(service) }
    override func removeAllServices() { services = [] }
    override func startAdvertising(_ advertisementData: [String: Any]?) { isOnAir = true }
    override func stopAdvertising() { isOnAir = false }

    override func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        responses.append(result)
    }

    override func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard room > 0 else {
            refusals += 1
            return false
        }
        room -= 1
        receivers.append(centrals?.first.flatMap { one in self.centrals.firstIndex { $0 === one } })
        updates.append([UInt8](value))
        return true
    }

    override func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) { latencies.append(latency) }

    func central(_ index: Int) -> CBCentral { centrals[index] }

    /// Makes another object of the first central.
    func renewCentral() {
        centrals[0] = CBCentral(centrals[0].identifier, length: centrals[0].length)
    }

    /// The characteristic of the first service.
    var characteristic: CBCharacteristic { services.first?.characteristics?.first ?? unknown }

    func read(by index: Int) -> CBATTRequest {
        CBATTRequest(
            central(index), characteristic, offset: 0, value: nil, token: nil, isRead: true)
    }

    func write(_ value: [UInt8], offset: Int = 0, isKnown: Bool = true) -> CBATTRequest {
        CBATTRequest(
            central(0), isKnown ? characteristic : unknown, offset: offset, value: Data(value),
            token: nil, isRead: false)
    }
}
