internal import HaloProtocol

/// Runs a device on real time: hands it events one at a time and in order, wakes it when it asks
/// for it, and gives what it does to whoever carries it out.
///
/// Effects come one at a time, in order, from any thread and outside of all locks; who carries
/// them out may hand in further events at once. Waking is done here and not told.
package final class PeripheralHost<Device: GATTPeripheral>: PeripheralHosting {
    private struct State {
        var device: Device
        var events = FIFO<PeripheralEvent>()
        var isDraining = false
        var isStopped = false
        var wake: Registration?
        /// Which request to be woken counts: those before it are void.
        var wakeNumber: UInt64 = 0
    }

    private let state: Locked<State>
    private let time: any TransportTime
    private let carryOut: @Sendable (PeripheralEffect) -> Void

    /// A device to which nothing has happened yet; ``start()`` brings it to life.
    package init(
        _ device: Device, on time: any TransportTime,
        effects carryOut: @escaping @Sendable (PeripheralEffect) -> Void
    ) {
        state = Locked(State(device: device))
        self.time = time
        self.carryOut = carryOut
    }

    /// Brings the device to life.
    package func start() { handle(.started(time.wallClock())) }

    package var services: [GATTService] { state.withLock { $0.device.services } }

    /// The device as it is.
    package var device: Device { state.withLock { $0.device } }

    /// Changes the device from outside, which then finds out what that means for it.
    package func modify<Result>(_ body: (inout Device) -> Result) -> Result {
        let result = state.withLock { body(&$0.device) }
        handle(.changed)
        return result
    }

    package func handle(_ event: PeripheralEvent) {
        let mustDrain = state.withLock { state in
            guard !state.isStopped else { return false }
            state.events.append(event)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if mustDrain { drain() }
    }

    package func stop() {
        let wake = state.withLock { state in
            state.isStopped = true
            _ = state.events.removeAll()
            return state.wake
        }
        wake?.cancel()
    }

    private func drain() {
        while let effects = next() {
            // Who carries out one effect may end it all before the next.
            for effect in effects where !state.withLock({ $0.isStopped }) {
                if case .wake(let moment) = effect { wake(at: moment) } else { carryOut(effect) }
            }
        }
    }

    /// Hands the device its next event, and gives what it does; nothing if there is none.
    private func next() -> [PeripheralEffect]? {
        state.withLock { state in
            guard !state.isStopped, let event = state.events.popFirst() else {
                state.isDraining = false
                return nil
            }
            var effects = PeripheralEffects()
            state.device.handle(event, at: time.now(), into: &effects)
            return effects.all
        }
    }

    private func wake(at moment: Moment?) {
        let (old, number) = state.withLock { state in
            state.wakeNumber &+= 1
            return (state.wake, state.wakeNumber)
        }
        old?.cancel()
        guard let moment, moment != .distantFuture else { return }
        let alarm = time.schedule(at: moment) { [weak self] in self?.woken(number) }
        let isVoid = state.withLock { state in
            guard !state.isStopped, state.wakeNumber == number else { return true }
            state.wake = alarm
            return false
        }
        if isVoid { alarm.cancel() }
    }

    private func woken(_ number: UInt64) {
        let isDue = state.withLock { $0.wakeNumber == number }
        if isDue { handle(.woken) }
    }
}
