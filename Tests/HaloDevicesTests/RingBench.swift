import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A virtual ring, and a client that is connected to it.
struct RingBench {
    let air: VirtualBluetooth
    let worn: Placed<VirtualRing>
    let ring: Ring

    /// An ordinary ring that was worn for some days.
    static func connected(
        _ profile: RingProfile = .r10, days: Int = 3, seed: UInt64 = 1,
        secondsFromUTC: Int = 3600, startingAt start: CivilDateTime = VirtualBluetooth.defaultStart,
        device: VirtualRingOptions = VirtualRingOptions(),
        options: RingOptions = RingOptions(), faults: FaultPlan = .none
    ) async throws -> RingBench {
        let air = VirtualBluetooth(
            seed: seed, startingAt: start, secondsFromUTC: secondsFromUTC, faults: faults)
        let worn = air.add(
            VirtualRing(profile, wearer: Wearer(seed: seed), days: days, options: device))
        let ring = try await Ring.connect(over: air, options: options)
        return RingBench(air: air, worn: worn, ring: ring)
    }

    /// Lets virtual time pass by waiting for it, and other tasks have their turn: waiting on
    /// virtual time alone gives up no thread.
    func pass(_ duration: Duration) async throws {
        try await air.clock.sleep(for: duration)
        await Task.yield()
    }
}

/// A flag that several threads may use.
final class Box<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}

/// The kind of error that something ends with; nothing if it does not.
func kind(_ body: () async throws -> Void) async -> DeviceError.Kind? {
    do {
        try await body()
        return nil
    } catch let error as DeviceError {
        return error.kind
    } catch {
        Issue.record("another error: \(error)")
        return nil
    }
}
