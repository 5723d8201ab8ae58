import CoreBluetooth
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import HaloCoreBluetooth

/// The driver of a link, without the layer above.
@Suite(.timeLimit(.minutes(20))) struct LinkDriverTests {
    /// What a driver has called back, in order.
    private final class Account: Sendable {
        let calls: AsyncStream<String>
        private let report: AsyncStream<String>.Continuation

        init() { (calls, report) = AsyncStream.makeStream() }

        func note(_ call: String) { report.yield(call) }

        func note<Value>(_ name: String, _ result: Result<Value, BLEError>) {
            switch result {
            case .success(let value): note("\(name) \(value)")
            case .failure(let error): note("\(name) \(error.kind)")
            }
        }
    }

    private static func open(
        _ bench: PhoneBench, _ identity: PeripheralIdentity, _ account: Account
    ) async throws -> any LinkDriver {
        try await bench.open(identity) { event in
            switch event {
            case .disconnected(let reason): account.note("ended \(reason.kind)")
            case .maximumLengthChanged: account.note("length")
            case .servicesChanged: account.note("services")
            case .value: account.note("value")
            }
        }
    }

    private static func services(of driver: any LinkDriver) async throws -> [GATTService] {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[GATTService], any Error>) in
            driver.discoverServices {
                continuation.resume(with: $0.mapError { $0 as any Error })
            }
        }
    }

    /// The end comes first, then the failures in the order of the requests.
    @Test func theEndComesBeforeTheFailures() async throws {
        let bench = PhoneBench()
        let device = bench.addDevice()
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let services = try await Self.services(of: driver)
        let silent = try #require(
            services.lazy.compactMap { $0.characteristic(ContractAttribute.silent.uuid) }.first)
        for number in 1...3 { driver.read(silent.id) { account.note("read \(number)", $0) } }
        device.modify { $0.instructions.append(.disconnect) }
        var calls: [String] = []
        for await call in account.calls where call != "length" {
            calls.append(call)
            if calls.count == 4 { break }
        }
        let gone = BLEError.Kind.disconnected
        #expect(
            calls == [
                "ended \(DisconnectReason.Kind.remote)", "read 1 \(gone)", "read 2 \(gone)",
                "read 3 \(gone)",
            ])
        // A request after the end fails, too.
        driver.read(silent.id) { account.note("late", $0) }
        for await call in account.calls {
            #expect(call == "late \(gone)")
            break
        }
    }

    /// A driver that is dropped closes its link, and its requests fail.
    @Test func aDroppedDriverEndsItsRequests() async throws {
        let bench = PhoneBench()
        let device = bench.addDevice()
        let account = Account()
        var driver: (any LinkDriver)? = try await Self.open(
            bench, bench.identity(of: device), account)
        let services = try await Self.services(of: try #require(driver))
        let silent = try #require(
            services.lazy.compactMap { $0.characteristic(ContractAttribute.silent.uuid) }.first)
        driver?.read(silent.id) { account.note("read", $0) }
        driver = nil
        var calls: [String] = []
        for await call in account.calls where call != "length" {
            calls.append(call)
            if calls.count == 2 { break }
        }
        #expect(
            calls == [
                "ended \(DisconnectReason.Kind.local)", "read \(BLEError.Kind.disconnected)",
            ])
    }

    /// Bluetooth goes off before the system has confirmed the end of the link.
    @Test func aLinkThatIsClosingEndsWithBluetooth() async throws {
        let bench = PhoneBench(speed: 1, traps: [.lateDisconnect])
        let device = bench.addDevice()
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let services = try await Self.services(of: driver)
        let silent = try #require(
            services.lazy.compactMap { $0.characteristic(ContractAttribute.silent.uuid) }.first)
        driver.read(silent.id) { account.note("read", $0) }
        driver.disconnect()
        bench.phone.powerOff()
        var calls: [String] = []
        for await call in account.calls where call != "length" {
            calls.append(call)
            if calls.count == 2 { break }
        }
        #expect(
            calls == [
                "ended \(DisconnectReason.Kind.adapterGone)", "read \(BLEError.Kind.disconnected)",
            ])
    }

    @Test func aLengthThatGrowsIsReported() async throws {
        let bench = PhoneBench(traps: [.lateMTU])
        let device = bench.addDevice()
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        #expect(driver.maximumWriteLength(for: .withoutResponse) == 20)
        _ = try await Self.services(of: driver)
        for await call in account.calls where call == "length" { break }
        #expect(driver.maximumWriteLength(for: .withoutResponse) > 20)
        #expect(driver.maximumWriteLength(for: .withResponse) == 512)
    }

    /// An app that only writes without response learns of it, too.
    @Test func aLengthThatGrowsWithoutAReplyIsReported() async throws {
        let bench = PhoneBench(traps: [.lengthGrowsWithWriting])
        let device = bench.addDevice()
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let record = try #require(
            try await Self.services(of: driver).lazy
                .compactMap { $0.characteristic(ContractAttribute.record.uuid) }.first)
        #expect(driver.maximumWriteLength(for: .withoutResponse) == 20)
        for byte in UInt8(0)..<2 { driver.write([byte], to: record.id, .withoutResponse) { _ in } }
        for await call in account.calls where call == "length" { break }
        #expect(driver.maximumWriteLength(for: .withoutResponse) > 20)
    }

    /// The services change while they are discovered: the discovery has the new ones.
    @Test func aDiscoveryBeginsAgainWhenTheServicesChange() async throws {
        let bench = PhoneBench(traps: [.servicesChangeWhileDiscovered])
        let device = bench.air.add(ShrinkingDevice())
        bench.phone.meet(device.identity)
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let found = try await Self.services(of: driver)
        #expect(found.flatMap(\.characteristics).count == 2)
        driver.read(found[0].characteristics[0].id) { account.note("read", $0) }
        for await call in account.calls where call.hasPrefix("read") {
            #expect(call == "read [1]")
            break
        }
    }

    /// What is subscribed under a number stays so.
    @Test func aSecondDiscoveryHasTheSameNumbers() async throws {
        let bench = PhoneBench()
        let device = bench.addDevice()
        let driver = try await Self.open(bench, bench.identity(of: device), Account())
        let first = try await Self.services(of: driver)
        #expect(first.flatMap(\.characteristics).count > 3)
        #expect(try await Self.services(of: driver) == first)
    }

    /// A write that waits for room fails with its service, and the next request is made.
    @Test(arguments: [Set<Trap>(), [.emptiesInvalidServices]])
    func aWriteThatWaitsFailsWithItsService(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps.union([.readyFirstFalse]))
        let device = bench.air.add(ShrinkingDevice())
        bench.phone.meet(device.identity)
        // Without a poll, the write waits as long as there is no room.
        let link = try await LoneLink.open(bench, to: device.identity)
        let ids = link.characteristics.map(\.id)
        let calls = Calls<String>()
        link.request(
            .write([1], ids[1], .withoutResponse) { result in
                if case .failure(let error) = result { calls.note("gone \(error.kind)") }
            })
        link.request(.read(ids[0]) { if case .success(let value) = $0 { calls.note("\(value)") } })
        device.modify { $0.hasSecond = false }
        #expect(await eventually { calls.all.count == 2 })
        #expect(calls.all == ["gone \(BLEError.Kind.noSuchAttribute)", "[1]"])
        #expect(link.events.all.contains(.servicesChanged))
    }

    /// An RSSI that the system forgets costs neither the link nor the next requests.
    @Test func anRSSIThatNeverComesIsGivenUp() async throws {
        let bench = PhoneBench(traps: [.rssiNeverComes])
        let device = bench.addDevice()
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let text = try #require(
            try await Self.services(of: driver).lazy
                .compactMap { $0.characteristic(ContractAttribute.text.uuid) }.first)
        let start = ContinuousClock.now
        driver.readRSSI { account.note("rssi", $0) }
        driver.read(text.id) { account.note("read", $0) }
        var calls: [String] = []
        for await call in account.calls where call != "length" {
            calls.append(call)
            if calls.count == 2 { break }
        }
        #expect(
            calls == ["rssi \(BLEError.Kind.timedOut)", "read \(ContractPeripheral.text)"])
        // Not the time that other replies have.
        #expect(start.duration(to: .now) < .seconds(50))
    }

    /// A request for an attribute that is gone fails at once, and the next one is made.
    @Test func aRequestForAServiceThatIsGoneFails() async throws {
        let bench = PhoneBench()
        let device = bench.air.add(ShrinkingDevice())
        bench.phone.meet(device.identity)
        let account = Account()
        let driver = try await Self.open(bench, bench.identity(of: device), account)
        let services = try await Self.services(of: driver)
        let ids = services.flatMap(\.characteristics).map(\.id)
        #expect(ids.count == 2)
        device.modify { $0.hasSecond = false }
        for await call in account.calls where call == "services" { break }
        driver.read(ids[1]) { account.note("read", $0) }
        driver.write([1], to: ids[1], .withResponse) { account.note("written", $0) }
        driver.setNotify(true, for: ids[1]) { account.note("subscribed", $0) }
        driver.read(ids[0]) { account.note("other", $0) }
        var calls: [String] = []
        for await call in account.calls where call != "length" {
            calls.append(call)
            if calls.count == 4 { break }
        }
        let gone = BLEError.Kind.noSuchAttribute
        #expect(
            calls == ["read \(gone)", "written \(gone)", "subscribed \(gone)", "other [1]"])
        #expect(try await Self.services(of: driver).flatMap(\.characteristics).count == 1)
    }
}

/// A device that loses its second service, whose characteristic does not respond.
private struct ShrinkingDevice: GATTPeripheral {
    var hasSecond = true
    private var wasShrunk = false

    var services: [GATTService] {
        let numbers: [UInt32] = hasSecond ? [1, 2] : [1]
        return numbers.map { number in
            GATTService(
                BluetoothUUID(0xA000 + number),
                characteristics: [
                    GATTCharacteristic(
                        AttributeID(number), BluetoothUUID(0xB000 + number),
                        [.read, .writeWithoutResponse])
                ])
        }
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            let data = AdvertisingData.connectable(name: "shrinks", services: [])
            effects.append(.advertise(PeripheralAdvertisement(data)))
        case .changed where !hasSecond && !wasShrunk:
            wasShrunk = true
            effects.append(.servicesChanged)
        case .read(AttributeID(1), _, let token): effects.respond([1], to: token)
        default: break
        }
    }
}
