import CoreBluetooth
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

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
