import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// What is dropped ends, and nothing is left.
@Suite(.timeLimit(.minutes(20))) struct LifetimeTests {
    /// An app that drops its link without closing it does not keep the device.
    @Test func aDroppedLinkIsClosed() async throws {
        let bench = PhoneBench()
        var link: BLELink? = try await bench.connected().link
        _ = try await link?.services
        link = nil
        let found = try await bench.transport.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(60))
        #expect(found.name != nil || found.services.isEmpty == false)
    }

    @Test func aDroppedTransportEndsItsScansAndAttempts() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 50))
        let phone = Phone(air: air)
        // Nothing begins before the user has decided.
        phone.setAuthorization(.notDetermined)
        let absent = air.add(Absent())
        let identifier = phone.meet(absent.identity)
        var transport: CoreBluetoothTransport? = PhoneBench.launch(on: phone)
        let identity = PeripheralIdentity(identifier.uuidString)
        let (ends, end) = AsyncStream.makeStream(of: BLEError.Kind.self)
        let scan = transport?.startScan(.all) { result in
            if case .failure(let error) = result { end.yield(error.kind) }
        }
        transport?.retrieveConnected([ContractAttribute.service]) { result in
            if case .failure(let error) = result { end.yield(error.kind) }
        }
        let attempt = transport?.openLink(to: identity, events: { _ in }) { result in
            if case .failure(let error) = result { end.yield(error.kind) }
        }
        transport = nil
        var kinds = ends.makeAsyncIterator()
        for _ in 0..<3 { #expect(await kinds.next() == .cancelled) }
        #expect(await eventually { phone.managerCount == 0 })
        withExtendedLifetime((scan, attempt)) {}
    }

    /// The links of a transport that was dropped continue.
    @Test func aLinkOutlivesItsTransport() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 50))
        let phone = Phone(air: air)
        let placed = air.add(ContractPeripheral())
        let identity = PeripheralIdentity(phone.meet(placed.identity).uuidString)
        var transport: CoreBluetoothTransport? = PhoneBench.launch(on: phone)
        let link = try await transport?.connect(to: identity)
        transport = nil
        let text = try await link?.characteristic(.text)
        if let text { #expect(try await link?.read(text) == ContractPeripheral.text) }
        await link?.disconnect()
    }

    /// Connects thousands of times; the objects that exist afterwards are counted.
    @Test func connectionsLeaveNothing() async throws {
        let bench = PhoneBench(speed: 1_000_000)
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        try await bench.reaches(.poweredOn)
        func connect(times: Int) async throws {
            for _ in 0..<times {
                let link = try await bench.transport.connect(to: identity)
                _ = try await link.services
                await link.disconnect()
            }
        }
        try await connect(times: 20)
        let before = bench.phone.peripheralCount
        let count = Int(ProcessInfo.processInfo.environment["HALO_CONNECTS"] ?? "") ?? 500
        try await connect(times: count)
        #expect(await eventually { bench.phone.peripheralCount <= before })
    }
}
