import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// A phone in a virtual air, and an app's transport on it.
struct PhoneBench {
    let air: VirtualBluetooth
    let phone: Phone
    let transport: CoreBluetoothTransport

    init(
        speed: Int = 20, seed: UInt64 = 1, traps: Set<Trap> = [], restoring name: String? = nil,
        faults: FaultPlan = .none
    ) {
        air = VirtualBluetooth(seed: seed, mode: .realTime(speed: speed), faults: faults)
        phone = Phone(air: air, traps: traps)
        transport = Self.launch(on: phone, restoring: name)
    }

    /// Makes a transport whose manager belongs to a phone.
    static func launch(
        on phone: Phone, restoring name: String? = nil
    ) -> CoreBluetoothTransport {
        Phone.$current.withValue(phone) {
            let transport = CoreBluetoothTransport(restoring: name)
            _ = transport.adapterState
            return transport
        }
    }

    /// The identity under which the app knows a device of the air.
    func identity<Device>(of placed: Placed<Device>) -> PeripheralIdentity {
        PeripheralIdentity(phone.identifier(of: placed.identity).uuidString)
    }

    /// Adds the contract's device, which the phone has met before.
    @discardableResult func addDevice() -> Placed<ContractPeripheral> {
        let placed = air.add(ContractPeripheral())
        phone.meet(placed.identity)
        return placed
    }

    /// Adds the contract's device, and connects to it.
    func connected(
        timeout: Duration = .seconds(60)
    ) async throws -> (link: BLELink, device: Placed<ContractPeripheral>) {
        let placed = addDevice()
        let link = try await transport.connect(to: identity(of: placed), timeout: timeout)
        return (link, placed)
    }

    /// Opens a link without the layer above.
    func open(
        _ identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void = { _ in }
    ) async throws -> any LinkDriver {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<any LinkDriver, any Error>) in
            _ = transport.openLink(to: identity, events: events) { result in
                continuation.resume(with: result.mapError { $0 as any Error })
            }
        }
    }

    /// Makes the phone the contract's device, and connects to it from another central.
    func hosting() async throws -> (device: Hosted<ContractPeripheral>, link: BLELink) {
        let hosted = try await Phone.$current.withValue(phone) {
            try await transport.host(ContractPeripheral())
        }
        let central = air.central(named: "central")
        let found = try await central.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(600))
        return (hosted, try await central.connect(to: found, timeout: .seconds(600)))
    }

    /// Waits until the transport reports a state.
    func reaches(_ state: AdapterState) async throws {
        for try await reported in transport.adapterStates() where reported == state { return }
    }
}

extension BLELink {
    /// Returns a characteristic of the contract's device.
    func characteristic(_ attribute: ContractAttribute) async throws -> GATTCharacteristic {
        try await characteristic(attribute.uuid, of: ContractAttribute.service)
    }
}

/// The error of a call, or `nil`.
func error<Value>(of body: () async throws -> Value) async -> BLEError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? BLEError
    }
}

/// Lets real time pass: the ages of requests, and the limits of waits, are measured in it.
func pass(_ duration: Duration) async throws { try await Task.sleep(for: duration) }

/// Waits until a condition holds; `false` after a minute.
func eventually(_ holds: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try await !holds() {
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
