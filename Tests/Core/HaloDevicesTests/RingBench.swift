import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// A virtual ring, and a client that is connected to it.
struct RingBench {
    let air: VirtualBluetooth
    let worn: Placed<VirtualRing>
    let ring: Ring

    /// Connects to an ordinary ring that was worn for a day.
    static func connected(
        _ profile: RingProfile = .r10, days: Int = 1, seed: UInt64 = 1,
        secondsFromUTC: Int = 3600, startingAt start: CivilDateTime = VirtualBluetooth.defaultStart,
        device: VirtualRingOptions = VirtualRingOptions(),
        options: RingOptions = .keeping(), faults: FaultPlan = .none
    ) async throws -> RingBench {
        let air = VirtualBluetooth(
            seed: seed, startingAt: start, secondsFromUTC: secondsFromUTC, faults: faults)
        return try await connected(
            in: air, profile, days: days, seed: seed, device: device, options: options)
    }

    /// Connects to such a ring in a given air.
    static func connected(
        in air: VirtualBluetooth, _ profile: RingProfile = .r10, days: Int = 1, seed: UInt64 = 1,
        device: VirtualRingOptions = VirtualRingOptions(), options: RingOptions = .keeping()
    ) async throws -> RingBench {
        let worn = air.add(
            VirtualRing(profile, wearer: Wearer(seed: seed), days: days, options: device))
        let ring = try await Ring.connect(over: air, options: options)
        return RingBench(air: air, worn: worn, ring: ring)
    }

    /// Waits on virtual time, and yields to other tasks: waiting on virtual time alone blocks the
    /// thread.
    func pass(_ duration: Duration) async throws {
        try await air.clock.sleep(for: duration)
        await Task.yield()
    }
}

extension RingOptions {
    /// The options of an app that keeps what a wrong clock has stored, before it is set.
    static func keeping(clock: ClockPolicy = .set(.local)) -> RingOptions {
        var options = RingOptions(clock: clock)
        options.keepBeforeClockChange = { _ in }
        return options
    }
}

/// Runs a test in one order, on one thread and on virtual time, which passes when no task can run.
func virtually<Value: Sendable>(
    seed: UInt64 = 1, startingAt start: CivilDateTime = VirtualBluetooth.defaultStart,
    secondsFromUTC: Int = 3600, faults: FaultPlan = .none,
    _ body: @escaping @Sendable (VirtualBluetooth) async throws -> Value
) throws -> Value {
    let air = VirtualBluetooth(
        seed: seed, mode: .manual, startingAt: start, secondsFromUTC: secondsFromUTC,
        faults: faults)
    return try runDeterministically(step: { air.step() }) { try await body(air) }
}

extension VirtualBluetooth {
    /// Returns the virtual time that a body takes.
    nonisolated(nonsending) func duration(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async rethrows -> Duration {
        let start = time.now()
        try await body()
        return time.now().duration(since: start)
    }
}

/// A value that several threads may use.
final class Box<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}

/// Returns the kind of error with which a body ends; `nil` if it throws none.
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
