import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The choice among several devices that may be a ring or a strap.
@Suite(.passesTime) struct RingFindingTests {
    @Test(arguments: 0..<30)
    func aRingIsFoundAmongImpostors(seed: UInt64) async throws {
        let air = VirtualBluetooth(seed: seed)
        let impostors = [
            air.add(Impostor(.named("SE")), at: AirPlacement(distanceCentimetres: 30)),
            air.add(Impostor(.company(0x1234)), at: AirPlacement(distanceCentimetres: 30)),
        ]
        let worn = air.add(VirtualRing(.r10, days: 1), at: AirPlacement(distanceCentimetres: 400))
        let ring = try await Ring.connect(over: air)
        #expect(ring.identity == worn.identity)
        #expect(impostors.allSatisfy { $0.state?.connections == 0 })
    }

    @Test(arguments: 0..<30)
    func aRingThatLooksLikeItsImpostorsIsFoundAfterThem(seed: UInt64) async throws {
        let air = VirtualBluetooth(seed: seed)
        let impostors = (0..<3).map { _ in
            air.add(Impostor(.named("SE")), at: AirPlacement(distanceCentimetres: 30))
        }
        let worn = air.add(
            Disguised(VirtualRing(.r10, days: 1)), at: AirPlacement(distanceCentimetres: 400))
        let ring = try await Ring.connect(over: air)
        #expect(ring.identity == worn.identity)
        #expect(impostors.allSatisfy { $0.state?.connections == 1 })
        try await air.clock.sleep(for: .seconds(5))
        #expect(impostors.allSatisfy { !$0.isConnected })
    }

    @Test(arguments: 0..<30)
    func theNearerOfTwoRingsIsFound(seed: UInt64) async throws {
        let air = VirtualBluetooth(seed: seed)
        air.add(VirtualRing(.r10, days: 1), at: AirPlacement(distanceCentimetres: 2_000))
        let near = air.add(VirtualRing(.r02, days: 1), at: AirPlacement(distanceCentimetres: 30))
        air.add(VirtualRing(.r12, days: 1), at: AirPlacement(distanceCentimetres: 2_500))
        #expect(try await Ring.find(over: air).identity == near.identity)
        #expect(try await Ring.connect(over: air).identity == near.identity)
    }

    @Test(arguments: 0..<10)
    func theNearerOfTwoStrapsIsFound(seed: UInt64) async throws {
        let air = VirtualBluetooth(seed: seed)
        air.add(
            VirtualHeartRateSensor(location: .chest), at: AirPlacement(distanceCentimetres: 2_000))
        let near = air.add(
            VirtualHeartRateSensor(location: .chest), at: AirPlacement(distanceCentimetres: 30))
        #expect(try await HeartRateSensor.find(over: air).identity == near.identity)
        #expect(try await HeartRateSensor.connect(over: air).identity == near.identity)
    }

    @Test func aStrapIsFoundAmongDevicesThatOnlyNameItsService() async throws {
        let air = VirtualBluetooth(seed: 4)
        let impostor = air.add(
            Impostor(.services([StandardServices.heartRate])),
            at: AirPlacement(distanceCentimetres: 30))
        let deaf = air.add(
            Impostor(.services([StandardServices.heartRate]), isConnectable: false),
            at: AirPlacement(distanceCentimetres: 20))
        let strap = air.add(
            VirtualHeartRateSensor(location: .chest), at: AirPlacement(distanceCentimetres: 400))
        let sensor = try await HeartRateSensor.connect(over: air)
        #expect(sensor.identity == strap.identity)
        #expect(impostor.state?.connections == 1)
        #expect(deaf.state?.connections == 0)
    }

    @Test func anImpostorAloneIsAWrongDevice() async throws {
        let air = VirtualBluetooth(seed: 5)
        let impostor = air.add(Impostor(.named("SE")))
        let error = await #expect(throws: DeviceError.self) {
            _ = try await Ring.connect(over: air)
        }
        #expect(error?.kind == .wrongDevice)
        #expect(error?.bleError?.uuid == RingServices.uart)
        #expect(impostor.state?.connections == 1)
        let options = RingOptions()
        #expect(
            air.time.now().duration(since: .origin)
                < options.findTimeout + options.connectTimeout)
        try await air.clock.sleep(for: .seconds(5))
        #expect(!impostor.isConnected)
    }

    @Test(arguments: 0..<10)
    func aRingIsFoundThatIsHeardAfterTheImpostorHasFailed(seed: UInt64) async throws {
        let air = VirtualBluetooth(seed: seed)
        let impostor = air.add(Impostor(.named("SE")))
        let worn = air.add(VirtualRing(.r10, days: 1))
        worn.moveAway()
        _ = air.time.schedule(at: .origin + .seconds(12)) { worn.comeBack() }
        let ring = try await Ring.connect(over: air)
        #expect(ring.identity == worn.identity)
        #expect(impostor.state?.connections == 1)
        #expect(air.time.now() > .origin + .seconds(12))
    }

    @Test func afterACandidateOutOfReachComesTheNext() async throws {
        let air = VirtualBluetooth(seed: 6)
        let near = air.add(
            VirtualRing(.r02, days: 1), at: AirPlacement(distanceCentimetres: 30))
        let far = air.add(VirtualRing(.r10, days: 1), at: AirPlacement(distanceCentimetres: 2_000))
        var options = RingOptions()
        options.connectTimeout = .seconds(4)
        _ = air.time.schedule(at: .origin + .milliseconds(1_200)) { near.moveAway() }
        let ring = try await Ring.connect(over: air, options: options)
        #expect(ring.identity == far.identity)
    }

    /// The first candidate that never answers has the whole timeout, all others together once more.
    @Test func manyRingsOutOfReachEndInBoundedTime() throws {
        try virtually(seed: 6) { air in
            let crowd = (0..<8).map { number in
                air.add(
                    VirtualRing(.r10, days: 0),
                    at: AirPlacement(distanceCentimetres: 100 + number * 100))
            }
            var options = RingOptions()
            options.findWindow = .seconds(3)
            options.connectTimeout = .seconds(4)
            _ = air.time.schedule(at: .origin + .seconds(3)) { crowd.forEach { $0.moveAway() } }
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                _ = try await Ring.connect(over: air, options: options)
            }
            #expect(error?.kind == .timedOut)
            let took = air.time.now().duration(since: start)
            #expect(took > .seconds(11) && took < .seconds(12))
        }
    }

    @Test func manyStrapsOutOfReachEndInBoundedTime() throws {
        try virtually(seed: 6) { air in
            let crowd = (0..<8).map { number in
                air.add(
                    VirtualHeartRateSensor(),
                    at: AirPlacement(distanceCentimetres: 100 + number * 100))
            }
            var options = HeartRateSensorOptions()
            options.findWindow = .seconds(3)
            options.connectTimeout = .seconds(4)
            _ = air.time.schedule(at: .origin + .seconds(3)) { crowd.forEach { $0.moveAway() } }
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                _ = try await HeartRateSensor.connect(over: air, options: options)
            }
            #expect(error?.kind == .timedOut)
            let took = air.time.now().duration(since: start)
            #expect(took > .seconds(11) && took < .seconds(12))
        }
    }

    @Test func theOnlyRingOutOfReachThrowsAtOnce() async throws {
        let air = VirtualBluetooth(
            seed: 7, faults: FaultPlan(rules: [FaultRule(.failedConnection, .connection())]))
        let worn = air.add(VirtualRing(.r10, days: 1))
        let error = await #expect(throws: DeviceError.self) {
            _ = try await Ring.connect(over: air)
        }
        #expect(error?.kind == .disconnected)
        #expect(error?.isTransient == true)
        #expect(air.time.now() < .origin + .seconds(5))
        #expect(try await Ring.connect(over: air).identity == worn.identity)
    }

    @Test func theErrorOfTheRingHasPrecedenceOverThatOfAnImpostor() async throws {
        let air = VirtualBluetooth(
            seed: 8, faults: FaultPlan(rules: [FaultRule(.failedConnection, .connection())]))
        let worn = air.add(VirtualRing(.r10, days: 1))
        air.add(Impostor(.named("SE")))
        let error = await #expect(throws: DeviceError.self) {
            _ = try await Ring.connect(over: air)
        }
        #expect(error?.kind == .disconnected)
        #expect(error?.isTransient == true)
        #expect(try await Ring.connect(over: air).identity == worn.identity)
    }

    @Test func endlessImpostorsTakeBoundedTime() async throws {
        let air = VirtualBluetooth(seed: 9)
        let crowd = (0..<60).map { _ in air.add(Impostor(.named("SE"))) }
        let error = await #expect(throws: DeviceError.self) {
            _ = try await Ring.connect(over: air)
        }
        #expect(error?.kind == .wrongDevice)
        #expect(crowd.reduce(0) { $0 + ($1.state?.connections ?? 0) } == 16)
        #expect(air.time.now() < .origin + .seconds(60))
    }

    /// No other device is waited for beside the only one that can be meant.
    @Test(arguments: [true, false]) func theOnlyDeviceEndsTheScan(_ isOnly: Bool) async throws {
        let air = VirtualBluetooth(seed: 10)
        air.add(VirtualRing(.r02, days: 1))
        let meant = air.add(VirtualRing(.r10, days: 1)).identity
        var finder = DeviceFinder(
            air, ScanFilter(), connected: [], timeout: .seconds(20), window: .seconds(5),
            isOnly: { isOnly && $0.identity == meant }
        ) { $0.identity == meant ? .certain : .possible }
        #expect(try await finder.best().identity == meant)
        #expect((air.time.now() < .origin + .seconds(2)) == isOnly)
    }

    @Test func aScanIsNoLongerThanTheOptionsSay() async throws {
        let air = VirtualBluetooth(seed: 10)
        let worn = air.add(VirtualRing(.r10, days: 1))
        var options = RingOptions()
        options.findWindow = .zero
        #expect(try await Ring.find(over: air, options: options).identity == worn.identity)
        #expect(air.time.now() < .origin + .seconds(1))
        options.findWindow = .seconds(3_600)
        options.findTimeout = .seconds(4)
        let start = air.time.now()
        #expect(try await Ring.find(over: air, options: options).identity == worn.identity)
        #expect(air.time.now() == start + .seconds(4))
    }

    @Test func findingIsCancelledAtOnceAlsoAfterARingWasHeard() throws {
        try virtually(seed: 11) { air in
            air.add(VirtualRing(.r10, days: 1))
            let result = await RingCancellationTests.cancel(after: .milliseconds(1_100), on: air) {
                _ = try await Ring.find(over: air)
            }
            #expect(result == .cancelled)
            #expect(air.time.now() == .origin + .milliseconds(1_100))
        }
    }

    @Test func anAdapterThatIsSwitchedOffEndsTheScan() async throws {
        let air = VirtualBluetooth(seed: 12)
        air.add(VirtualRing(.r10, days: 1))
        _ = air.time.schedule(at: .origin + .milliseconds(1_100)) {
            air.setAdapterState(.poweredOff)
        }
        let error = await #expect(throws: DeviceError.self) {
            _ = try await Ring.connect(over: air)
        }
        #expect(error?.bleError?.kind == .bluetoothOff)
        #expect(air.time.now() < .origin + .seconds(2))
    }

    @Test func recognitionUsesAdvertisementAndScanResponse() {
        let data = AdvertisingData(lenient: [2, 1, 6])
        let found = Discovery(
            PeripheralIdentity("x"), name: "R02_341C", services: [RingServices.uart],
            manufacturerData: [ManufacturerData(company: 0x1234, bytes: [])],
            advertisement: data)
        #expect(found.recognition.classification == .ring)
        #expect(found.recognition.confidence == .strong)
        #expect(found.recognition.clues == [.ringName, .ringService, .ringCompany])
    }
}

/// A device that advertises another kind, and has none of its services.
struct Impostor: GATTPeripheral {
    /// The kind that it advertises.
    enum Claim: Sendable {
        case named(String)
        case company(UInt16)
        case services([BluetoothUUID])
    }

    private let advertisement: PeripheralAdvertisement?
    /// The number of connections so far.
    private(set) var connections = 0
    private var database = GATTDatabase()

    init(_ claim: Claim, isConnectable: Bool = true) {
        let contents: [AdvertisingStructure.Content] =
            switch claim {
            case .named(let name): [.name(AdvertisedName(name), isComplete: true)]
            case .company(let company): [.manufacturerData(company: company, [1, 2])]
            case .services(let services):
                [.services(.short(services.compactMap(\.short16)), isComplete: true)]
            }
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        advertisement = (try? AdvertisingData(structures: structures)).map {
            PeripheralAdvertisement(
                $0, interval: .milliseconds(200), isConnectable: isConnectable)
        }
        database.add(StandardServices.battery) { service in
            _ = service.add(CharacteristicCatalog.batteryLevel.uuid, .read, value: [50])
        }
    }

    var services: [GATTService] { database.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started: effects.append(.advertise(advertisement))
        case .connected: connections += 1
        default: break
        }
    }
}

/// A ring that advertises only a name under which other devices are sold, too.
struct Disguised: GATTPeripheral {
    private var ring: VirtualRing

    init(_ ring: VirtualRing) { self.ring = ring }

    var services: [GATTService] { ring.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        var all = PeripheralEffects()
        ring.handle(event, at: now, into: &all)
        for effect in all.all {
            guard case .advertise(.some(let advertisement)) = effect else {
                effects.append(effect)
                continue
            }
            let name = try? AdvertisingStructure(.name(AdvertisedName("SE"), isComplete: true))
            let data = try? AdvertisingData(structures: [name].compactMap { $0 })
            var other = advertisement
            other.data = data ?? other.data
            other.scanResponse = nil
            effects.append(.advertise(other))
        }
    }
}
