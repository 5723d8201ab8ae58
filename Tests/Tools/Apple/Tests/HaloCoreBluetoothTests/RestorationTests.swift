import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import HaloCoreBluetooth

/// The app's process ends, and the system gives back what it kept.
@Suite(.timeLimit(.minutes(20))) struct RestorationTests {
    /// Ends an app that has a link, and launches it again.
    private static func relaunched(
        _ bench: PhoneBench
    ) async throws -> (transport: CoreBluetoothTransport, device: Placed<ContractPeripheral>) {
        let (link, placed) = try await bench.connected()
        _ = try await link.services
        bench.phone.terminateApp()
        withExtendedLifetime(link) {}
        return (PhoneBench.launch(on: bench.phone, restoring: "test"), placed)
    }

    @Test func aLinkIsGivenBack() async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        let identity = bench.identity(of: placed)
        #expect(await again.restoredDevices() == [identity])
        let restored = try await again.connect(to: identity)
        #expect(await again.restoredDevices() == [])
        let text = try await restored.characteristic(.text)
        #expect(try await restored.read(text) == ContractPeripheral.text)
        await restored.disconnect()
    }

    @Test func aPendingAttemptIsGivenBack() async throws {
        let bench = PhoneBench(restoring: "test")
        let placed = bench.addDevice()
        let identity = bench.identity(of: placed)
        placed.moveAway()
        try await bench.reaches(.poweredOn)
        let attempt = Task {
            await error {
                try await bench.transport.connect(to: identity, timeout: .seconds(600))
            }
        }
        try await bench.air.clock.sleep(for: .seconds(5))
        bench.phone.terminateApp()
        attempt.cancel()
        _ = await attempt.value

        let again = PhoneBench.launch(on: bench.phone, restoring: "test")
        #expect(await again.restoredDevices() == [identity])
        placed.comeBack()
        let link = try await again.connect(to: identity, timeout: .seconds(60))
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    @Test func aDeviceThatIsNotWantedIsReleased() async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        let identity = bench.identity(of: placed)
        #expect(await again.restoredDevices() == [identity])
        again.release(identity)
        #expect(await again.restoredDevices() == [])
        // The device advertises again.
        let found = try await again.find(
            ScanFilter(identities: [identity]), timeout: .seconds(60))
        #expect(found.identity == identity)
    }

    /// The device is released before the state of Bluetooth is known, and ends with it.
    @Test func aDeviceIsReleasedAtOnce() async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        again.release(bench.identity(of: placed))
        #expect(await eventually { !placed.isConnected })
        #expect(await again.restoredDevices() == [])
    }

    /// The device closes the link before the app wants it.
    @Test func aRestoredLinkThatEndsIsNoLongerThere() async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        let identity = bench.identity(of: placed)
        #expect(await again.restoredDevices() == [identity])
        placed.modify { $0.instructions.append(.disconnect) }
        #expect(await eventually { await again.restoredDevices() == [] })
        let link = try await again.connect(to: identity, timeout: .seconds(60))
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    /// Switching off ends restored links without a call, and a restart makes their objects invalid.
    @Test(arguments: [CBManagerState.poweredOff, .resetting])
    func restoredLinksEndWithBluetooth(_ state: CBManagerState) async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        let identity = bench.identity(of: placed)
        #expect(await again.restoredDevices() == [identity])
        bench.phone.setState(state)
        for try await now in again.adapterStates() where now != .poweredOn { break }
        bench.phone.powerOn()
        for try await now in again.adapterStates() where now == .poweredOn { break }
        #expect(await again.restoredDevices() == [])
        let link = try await again.connect(to: identity, timeout: .seconds(60))
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    /// A released device can be connected to as soon as the system has ended its link.
    @Test func aReleasedDeviceIsConnectedToAgain() async throws {
        let bench = PhoneBench(restoring: "test")
        let (again, placed) = try await Self.relaunched(bench)
        let identity = bench.identity(of: placed)
        again.release(identity)
        let start = ContinuousClock.now
        let link = try await again.connect(to: identity, timeout: .seconds(60))
        #expect(start.duration(to: .now) < CentralCore.endLimit)
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    /// An app that the system has launched must make its manager before it returns to the system;
    /// all others are not asked for the permission before they use Bluetooth.
    @Test func onlyATransportThatRestoresBeginsAtOnce() {
        let phone = Phone(air: VirtualBluetooth(seed: 1, mode: .realTime(speed: 50)))
        let plain = Phone.$current.withValue(phone) { CoreBluetoothTransport() }
        #expect(phone.managerCount == 0)
        let restoring = Phone.$current.withValue(phone) {
            CoreBluetoothTransport(restoring: "test")
        }
        #expect(phone.managerCount == 1)
        withExtendedLifetime((plain, restoring)) {}
    }

    /// Each way to use a transport makes its manager, once.
    @Test func theFirstUseBegins() async {
        let uses: [@Sendable (CoreBluetoothTransport) async -> Void] = [
            { _ = $0.adapterState }, { $0.observeAdapter { _ in }.cancel() },
            { $0.startScan(.all) { _ in }.cancel() },
            { transport in
                let identity = PeripheralIdentity(UUID().uuidString)
                transport.openLink(to: identity, events: { _ in }, completion: { _ in }).cancel()
            }, { $0.retrieveConnected([]) { _ in } }, { _ = await $0.restoredDevices() },
        ]
        for use in uses {
            let phone = Phone(air: VirtualBluetooth(seed: 1, mode: .realTime(speed: 50)))
            await Phone.$current.withValue(phone) {
                let transport = CoreBluetoothTransport()
                for _ in 0..<2 { await use(transport) }
                #expect(phone.managerCount == 1)
                withExtendedLifetime(transport) {}
            }
        }
    }

    @Test func aCancelledTaskGetsNoRestoredDevices() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 50))
        let phone = Phone(air: air)
        phone.setAuthorization(.notDetermined)
        let transport = PhoneBench.launch(on: phone, restoring: "test")
        let devices = Task { await transport.restoredDevices() }
        devices.cancel()
        #expect(await devices.value == [])
    }

    @Test func nothingIsGivenBackWithoutAName() async throws {
        let bench = PhoneBench()
        _ = try await bench.connected()
        bench.phone.terminateApp()
        let again = PhoneBench.launch(on: bench.phone)
        #expect(await again.restoredDevices() == [])
    }
}
