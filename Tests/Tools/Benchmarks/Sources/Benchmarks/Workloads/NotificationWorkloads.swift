import HaloSimulator
import HaloTesting
import HaloTransport
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Workload {
    static var notifications: [Workload] {
        [
            deterministicNotification,
            Workload(name: "a notification, global pool") { try await measurePool() },
        ]
    }

    /// The delivery of values from the device to the app's loop, all on one thread.
    private static var deterministicNotification: Workload {
        Workload(name: "a notification, deterministic runner") {
            let air = VirtualBluetooth(seed: 1, mode: .manual)
            let placed = air.add(Ticker())
            let latencies = try runDeterministically(step: { air.step() }) {
                let notifications = try await subscribe(to: placed, over: air)
                var latencies: [Double] = []
                for try await notification in notifications {
                    latencies.append(Ticker.microseconds(since: notification.value))
                    if latencies.count == 5_000 { break }
                }
                return latencies
            }
            return [
                Figure(
                    name: "a notification, deterministic runner", value: median(latencies),
                    unit: "µs", bound: .atMost(3))
            ]
        }
    }

    static func subscribe(
        to placed: Placed<Ticker>, over air: VirtualBluetooth
    ) async throws -> Notifications {
        let link = try await air.connect(to: placed.identity)
        let characteristic = try await link.characteristic(
            Ticker.characteristic, of: Ticker.service)
        return try await link.notifications(of: characteristic)
    }

    static func median(_ numbers: [Double]) -> Double {
        numbers.isEmpty ? .infinity : numbers.sorted()[numbers.count / 2]
    }
}

/// The delivery on the global pool, compared with an `AsyncStream` of the standard library. A
/// thread outside the pool sends one value to each in turn, and waits until it was received.
private func measurePool() async throws -> [Figure] {
    let air = VirtualBluetooth(seed: 1, mode: .manual)
    let placed = air.add(Ticker())
    let ours = Latencies()
    let bare = Latencies()
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    let consumers = [
        Task.detached {
            for try await notification in try await Workload.subscribe(to: placed, over: air) {
                ours.add(Ticker.microseconds(since: notification.value))
            }
        },
        Task.detached { for await value in stream { bare.add(Ticker.microseconds(since: value)) } },
    ]
    await withCheckedContinuation { done in
        onThread {
            let deadline = Stopwatch()
            for round in 0..<3_000 where deadline.milliseconds < 20_000 {
                var idle = 0
                while ours.count <= round, deadline.milliseconds < 20_000 {
                    if !air.step() || idle > 0 { sched_yield() }
                    idle += 1
                }
                restBriefly()
                continuation.yield(Ticker.bytes(Stopwatch.nanoseconds()))
                while bare.count <= round, deadline.milliseconds < 20_000 { sched_yield() }
                restBriefly()
            }
            done.resume()
        }
    }
    continuation.finish()
    for consumer in consumers { consumer.cancel() }
    let (subject, peer) = (Workload.median(ours.all), Workload.median(bare.all))
    return [
        Figure(name: "a notification, global pool", value: subject, unit: "µs"),
        Figure(name: "a value of a bare AsyncStream", value: peer, unit: "µs"),
        Figure(
            name: "the one in terms of the other", value: subject / peer, unit: "×",
            bound: .atMost(1.5)),
    ]
}

/// The latencies of values, recorded by one thread and counted by another.
private final class Latencies: Sendable {
    private let values = Mutex<[Double]>([])
    private let counted = Atomic<Int>(0)

    var count: Int { counted.load(ordering: .acquiring) }
    var all: [Double] { values.withLock { $0 } }

    func add(_ microseconds: Double) {
        values.withLock { $0.append(microseconds) }
        counted.wrappingAdd(1, ordering: .releasing)
    }
}

/// Sleeps long enough for a consumer to fall asleep.
private func restBriefly() {
    let stopwatch = Stopwatch()
    while stopwatch.milliseconds < 0.03 {}
}

/// Runs a function on a new thread.
private func onThread(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let box = Unmanaged.passRetained(Box(body))
    _ = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
}

private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
