internal import HaloProtocol

/// The runner of a device on a transport's time. It hands events to the device one at a time and in
/// order, wakes it, and lets the host perform its effects.
///
/// Everything happens in turns of the time's loop. Effects are performed one at a time, in order;
/// the function that performs them may call ``handle(_:)``. ``PeripheralEffect/wake(_:)`` is
/// performed by the runner. The moment of an event is the moment of the call of ``handle(_:)``.
public final class PeripheralHost<Device: GATTPeripheral>: PeripheralHosting, @unchecked Sendable {
    private let time: any TransportTime
    private let loop: TransportLoop
    private let performEffect: @Sendable (PeripheralEffect) -> Void
    private var current: Device
    private var now = Moment.origin
    private var isStopped = false
    private var wake: BLECancellable?
    /// The number of the latest wake request; timers of earlier requests are ignored.
    private var wakeNumber: UInt64 = 0

    /// Creates a runner; ``start()`` begins to run the device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - time: The time on which it runs.
    ///   - perform: Performs one effect, in a turn of the time's loop.
    public init(
        _ device: Device, on time: any TransportTime,
        effects perform: @escaping @Sendable (PeripheralEffect) -> Void
    ) {
        current = device
        self.time = time
        loop = time.loop
        performEffect = perform
    }

    /// Begins to run the device with ``PeripheralEvent/started(_:)``.
    public func start() { handle(.started(time.wallClock())) }

    /// The current services of the device.
    public var services: [GATTService] { loop.run { current.services } }

    /// The current state of the device.
    public var device: Device { loop.run { current } }

    /// Changes the device, which then handles ``PeripheralEvent/changed``.
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result {
        loop.run {
            defer { handle(.changed) }
            return body(&current)
        }
    }

    /// Hands an event to the device, at the current moment.
    public func handle(_ event: PeripheralEvent) {
        loop.run {
            now = max(now, time.now())
            loop.later { [self, now] in receive(event, at: now) }
        }
    }

    /// Ends the device: it handles no further events, and has no further effects.
    public func stop() {
        loop.run {
            isStopped = true
            wake?.cancel()
            wake = nil
        }
    }

    private func receive(_ event: PeripheralEvent, at moment: Moment) {
        guard !isStopped else { return }
        var effects = PeripheralEffects()
        current.handle(event, at: moment, into: &effects)
        for effect in effects.all where !isStopped {
            if case .wake(let moment) = effect { wake(at: moment) } else { performEffect(effect) }
        }
    }

    private func wake(at moment: Moment?) {
        wake?.cancel()
        wake = nil
        wakeNumber &+= 1
        guard let moment, moment != .distantFuture else { return }
        wake = time.schedule(at: moment) { [weak self, loop, wakeNumber] in
            loop.report {
                if let self, self.wakeNumber == wakeNumber { self.handle(.woken) }
            }
        }
    }
}
