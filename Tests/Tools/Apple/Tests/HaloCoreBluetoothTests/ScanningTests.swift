import CoreBluetooth
import Foundation
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import HaloCoreBluetooth

/// Scans that share the system's one, and attempts that follow each other.
@Suite(.timeLimit(.minutes(20))) struct ScanningTests {
    /// The system reports a device once for each of its scans.
    @Test func aLaterScanFindsWhatAnEarlierOneHasFound() async throws {
        let bench = PhoneBench()
        bench.addDevice()
        let filter = ScanFilter(services: [ContractAttribute.service])
        var first = bench.transport.scan(filter).makeAsyncIterator()
        let found = try #require(try await first.next())
        #expect(
            try await bench.transport.find(filter, timeout: .seconds(60)).identity == found.identity
        )
    }

    /// A scan that is cancelled reports nothing more, also if another one goes on.
    @Test func aCancelledScanEnds() async throws {
        let bench = PhoneBench()
        bench.addDevice()
        let (ended, other) = (Calls<Discovery>(), Calls<Discovery>())
        let scans = [ended, other].map { found in
            bench.transport.startScan(.all) { if case .success(let one) = $0 { found.note(one) } }
        }
        #expect(await eventually { !ended.all.isEmpty })
        scans[0].cancel()
        // The end has come when a later scan has a report.
        let later = Calls<Discovery>()
        let last = bench.transport.startScan(.all) {
            if case .success(let one) = $0 { later.note(one) }
        }
        #expect(await eventually { !later.all.isEmpty })
        let count = (ended.all.count, other.all.count)
        #expect(await eventually { other.all.count > count.1 })
        #expect(ended.all.count == count.0)
        for scan in [scans[1], last] { scan.cancel() }
    }

    /// Some systems report names only in scans for services or with duplicates.
    @Test(arguments: [Set<Trap>(), [.missingName], [.splitAdvertisement]])
    func aDeviceIsFoundByItsName(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps)
        let device = bench.air.add(ContractPeripheral())
        let found = try await bench.transport.find(
            ScanFilter(namePrefix: "Halo con"), timeout: .seconds(60))
        #expect(found.identity == bench.identity(of: device))
    }

    @Test func scansForSeveralServicesFindTheirOwn() async throws {
        let bench = PhoneBench()
        let contract = bench.addDevice()
        let strap = bench.air.add(VirtualHeartRateSensor(wearer: Wearer(seed: 1)))
        async let one = bench.transport.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(60))
        async let other = bench.transport.find(
            ScanFilter(services: [StandardServices.heartRate]), timeout: .seconds(60))
        #expect(try await one.identity == bench.identity(of: contract))
        #expect(try await other.identity == bench.identity(of: strap))
        // While one scan wants all devices, the other ones are served, too.
        var all = bench.transport.scan().makeAsyncIterator()
        _ = try await all.next()
        let again = try await bench.transport.find(
            ScanFilter(services: [StandardServices.heartRate]), timeout: .seconds(60))
        #expect(again.identity == bench.identity(of: strap))
    }

    /// A link is still ending; the next attempt waits for its end, and Bluetooth goes off.
    @Test(arguments: ["dropped", "closed", "closed, dropped"])
    func anAttemptThatWaitsForAnEndFailsWithBluetooth(_ end: String) async throws {
        let bench = PhoneBench(speed: 1, traps: [.lateDisconnect])
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        var driver: (any LinkDriver)? = try await bench.open(identity)
        if end.hasPrefix("closed") { driver?.disconnect() } else { driver = nil }
        #expect(await eventually { !device.isConnected })
        let (ends, ended) = AsyncStream.makeStream(of: BLEError.Kind?.self)
        for _ in 0..<2 {
            _ = bench.transport.openLink(to: identity, events: { _ in }) { result in
                if case .failure(let error) = result {
                    ended.yield(error.kind)
                } else {
                    ended.yield(nil)
                }
            }
        }
        var kinds = ends.makeAsyncIterator()
        // The second one has no place.
        #expect(await kinds.next() == .alreadyConnected)
        if end.hasSuffix("dropped") { driver = nil }
        bench.phone.powerOff()
        #expect(await kinds.next() == .bluetoothOff)
        withExtendedLifetime(driver) {}
    }

    /// The system reports the end of a link later than it is waited for, while the next attempt
    /// waits for the device: that one goes on.
    @Test func aVeryLateEndIsNotThatOfTheNextAttempt() async throws {
        let bench = PhoneBench(speed: 3, traps: [.lateDisconnect])
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        let driver = try await bench.open(identity)
        driver.disconnect()
        let (results, report) = AsyncStream.makeStream(of: Result<any LinkDriver, BLEError>.self)
        _ = bench.transport.openLink(to: identity, events: { _ in }) { report.yield($0) }
        device.moveAway()
        // The end is waited for for 5 s, and comes after 10 s.
        try await bench.air.clock.sleep(for: .seconds(36))
        device.comeBack()
        var ends = results.makeAsyncIterator()
        let again = try #require(await ends.next()).get()
        again.disconnect()
        withExtendedLifetime(driver) {}
    }

    /// The device is away; the attempt is cancelled, and the next one begins when the system has
    /// confirmed it, in whatever form, or after 5 s.
    @Test(arguments: [Set<Trap>(), [.cancelAnswersAsFailure], [.cancelIsNotAnswered]])
    func aCancelledAttemptDoesNotBlockTheNext(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps)
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        device.moveAway()
        try await bench.reaches(.poweredOn)
        let (ends, ended) = AsyncStream.makeStream(of: BLEError.Kind?.self)
        let attempt = bench.transport.openLink(to: identity, events: { _ in }) { result in
            if case .failure(let error) = result {
                ended.yield(error.kind)
            } else {
                ended.yield(nil)
            }
        }
        let start = ContinuousClock.now
        attempt.cancel()
        for await kind in ends {
            #expect(kind == .cancelled)
            break
        }
        device.comeBack()
        let link = try await bench.transport.connect(to: identity, timeout: .seconds(30))
        let isConfirmed = !traps.contains(.cancelIsNotAnswered)
        #expect((start.duration(to: .now) < CentralCore.endLimit) == isConfirmed)
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    /// An attempt that waits for the end of an earlier one is cancelled, too: nothing is connected
    /// to afterwards, and another one has the place.
    @Test func anAttemptThatWaitsIsCancelled() async throws {
        let bench = PhoneBench(speed: 1, traps: [.lateDisconnect])
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        for isDropped in [false, true] {
            var driver: (any LinkDriver)? = try await bench.open(identity)
            if isDropped { driver = nil } else { driver?.disconnect() }
            #expect(await eventually { !device.isConnected })
            for _ in 0..<2 {
                let results = Calls<String>()
                let next = bench.transport.openLink(to: identity, events: { _ in }) { result in
                    if case .failure(let error) = result {
                        results.note("\(error.kind)")
                    } else {
                        results.note("open")
                    }
                }
                next.cancel()
                #expect(await eventually { !results.all.isEmpty })
                #expect(results.all == ["\(BLEError.Kind.cancelled)"])
            }
            withExtendedLifetime(driver) {}
            bench.phone.traps = []
            // The end of the earlier link comes after this one's beginning, and is not its own.
            let again = try await bench.transport.connect(to: identity, timeout: .seconds(60))
            #expect(try await again.services.isEmpty == false)
            await again.disconnect()
            bench.phone.traps = [.lateDisconnect]
        }
    }

    /// Before the state of Bluetooth is known, attempts wait, up to a limit; each ends once.
    @Test func attemptsWaitForTheStateUpToALimit() async throws {
        let phone = Phone(air: VirtualBluetooth(seed: 1, mode: .realTime(speed: 50)))
        phone.setAuthorization(.notDetermined)
        let transport = PhoneBench.launch(on: phone)
        let results = Calls<String>()
        let identity = PeripheralIdentity(UUID().uuidString)
        let attempts = (0...CentralCore.maximumWaiting).map { number in
            transport.openLink(to: identity, events: { _ in }) { result in
                if case .failure(let error) = result { results.note("\(number) \(error.kind)") }
            }
        }
        #expect(await eventually { !results.all.isEmpty })
        let overloaded = "\(CentralCore.maximumWaiting) \(BLEError.Kind.overloaded)"
        #expect(results.all == [overloaded])
        attempts[7].cancel()
        #expect(await eventually { results.all.count == 2 })
        #expect(results.all.last == "7 \(BLEError.Kind.cancelled)")
        phone.setAuthorization(.denied)
        #expect(await eventually { results.all.count > CentralCore.maximumWaiting })
        let kind = BLEError.Kind.unauthorized
        let waited = (0..<CentralCore.maximumWaiting).filter { $0 != 7 }
        #expect(results.all.dropFirst(2) == waited.map { "\($0) \(kind)" }[...])
    }

    /// Also the devices of before the switch are found by a scan that begins after it.
    @Test func aScanAfterAPauseFindsTheDevices() async throws {
        let bench = PhoneBench()
        bench.addDevice()
        let filter = ScanFilter(services: [ContractAttribute.service])
        _ = try await bench.transport.find(filter, timeout: .seconds(60))
        bench.phone.powerOff()
        try await bench.reaches(.poweredOff)
        bench.phone.powerOn()
        try await bench.reaches(.poweredOn)
        _ = try await bench.transport.find(filter, timeout: .seconds(60))
    }

    /// A name of an earlier connection, and none at all: the advertised one is reported.
    @Test(arguments: [Set<Trap>(), [.staleName]])
    func aDiscoveryHasTheNameOfTheAdvertisement(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps)
        let device = bench.air.add(ContractPeripheral())
        bench.phone.meet(device.identity, name: "of last year")
        let found = try await bench.transport.find(
            ScanFilter(namePrefix: ContractPeripheral.name), timeout: .seconds(60))
        #expect(found.name == ContractPeripheral.name)
    }

    @Test func aCancelledAttemptLeavesTheDeviceFree() async throws {
        let bench = PhoneBench()
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        for turn in 0..<20 {
            let attempt = Task { await error { try await bench.transport.connect(to: identity) } }
            for _ in 0..<turn { await Task.yield() }
            attempt.cancel()
            _ = await attempt.value
        }
        let found = try await bench.transport.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(60))
        let link = try await bench.transport.connect(to: found, timeout: .seconds(60))
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }
}
