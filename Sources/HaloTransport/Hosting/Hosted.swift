internal import HaloProtocol

/// A device on the air or on a bus that this program hosts.
///
/// It goes on being a device until ``remove()``, also when this value is no longer held; and at the
/// latest when the program ends, or when what it is hosted by is gone.
public struct Hosted<Device: GATTPeripheral>: Sendable {
    private let host: PeripheralHost<Device>
    private let control: any HostControl

    package init(_ host: PeripheralHost<Device>, _ control: any HostControl) {
        self.host = host
        self.control = control
    }

    /// Its identity for centrals on this computer, where that is known.
    public var identity: PeripheralIdentity? { control.identity }

    /// Changes the device from outside, which then finds out what that means for it.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result { host.modify(body) }

    /// The device as it is.
    public var state: Device { host.device }

    /// `true` while a central is connected to it.
    public var isConnected: Bool { control.isConnected }

    /// Takes it away, and returns when it is gone.
    public func remove() async { await control.remove() }

    /// Waits until it is a device no longer, and says why; `nil` if it was removed here, or if the
    /// task is cancelled.
    public func ended() async -> BLEError? { await control.ended() }
}

/// A hosted device, as its host lets others see and end it.
package protocol HostControl: AnyObject, Sendable {
    /// Its identity for centrals on this computer, where that is known.
    var identity: PeripheralIdentity? { get }

    /// `true` while a central is connected to it.
    var isConnected: Bool { get }

    /// Takes it away, and returns when that is done.
    func remove() async

    /// Waits for the end, and says why it came.
    func ended() async -> BLEError?
}

/// A hosted device of any type, as its host uses it.
package protocol PeripheralHosting: AnyObject, Sendable {
    /// The services of the device.
    var services: [GATTService] { get }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent)

    /// Lets nothing more happen to the device, nor by it.
    func stop()
}

/// Runs a device on real time: hands it events one at a time and in order, wakes it when it asks
/// for that, and has its effects carried out.
///
/// Effects come one at a time, in order, from any thread and outside of all locks; the function
/// that carries them out may hand in further events at once. Waking is done here and not told. An
/// event has the moment at which it was handed in: the clock is asked before the lock is taken, for
/// it may call back too.
package final class PeripheralHost<Device: GATTPeripheral>: PeripheralHosting {
    private struct State: DrainState {
        var device: Device
        var events = FIFO<(event: PeripheralEvent, moment: Moment)>()
        /// The effects of the event before.
        var effects = FIFO<PeripheralEffect>()
        /// The latest moment at which something happened to the device.
        var now = Moment.origin
        var isStopped = false
        var wake: Registration?
        /// The number of the request to be woken that counts: those before it are void.
        var wakeNumber: UInt64 = 0

        mutating func append(_ event: PeripheralEvent, at moment: Moment) {
            guard !isStopped else { return }
            now = max(now, moment)
            events.append((event, now))
        }

        /// Gives the next effect; hands the device its next event when there is none left.
        mutating func nextStep(for role: DrainRole) -> PeripheralEffect? {
            while true {
                if let effect = effects.popFirst() { return effect }
                guard let (event, moment) = events.popFirst() else { return nil }
                var effects = PeripheralEffects()
                device.handle(event, at: moment, into: &effects)
                for effect in effects.all { self.effects.append(effect) }
            }
        }
    }

    private let drain: Drain<State>
    private let time: any TransportTime
    private let carryOut: @Sendable (PeripheralEffect) -> Void

    /// A device to which nothing has happened yet; ``start()`` brings it to life.
    package init(
        _ device: Device, on time: any TransportTime,
        effects carryOut: @escaping @Sendable (PeripheralEffect) -> Void
    ) {
        drain = Drain(State(device: device))
        self.time = time
        self.carryOut = carryOut
    }

    /// Brings the device to life.
    package func start() { handle(.started(time.wallClock())) }

    package var services: [GATTService] { drain.read { $0.device.services } }

    /// The device as it is.
    package var device: Device { drain.read { $0.device } }

    /// Changes the device from outside, which then finds out what that means for it.
    package func modify<Result>(_ body: (inout Device) -> Result) -> Result {
        let now = time.now()
        return drain.change(as: .guest, perform: perform) { state in
            defer { state.append(.changed, at: now) }
            return body(&state.device)
        }
    }

    package func handle(_ event: PeripheralEvent) {
        let now = time.now()
        drain.change(as: .owner, perform: perform) { $0.append(event, at: now) }
    }

    package func stop() {
        let wake = drain.withLock { state in
            state.isStopped = true
            state.events = FIFO()
            state.effects = FIFO()
            return state.wake
        }
        wake?.cancel()
    }

    private func perform(_ effect: PeripheralEffect) {
        if case .wake(let moment) = effect { wake(at: moment) } else { carryOut(effect) }
    }

    private func wake(at moment: Moment?) {
        let (old, number) = drain.withLock { state in
            state.wakeNumber &+= 1
            return (state.wake, state.wakeNumber)
        }
        old?.cancel()
        guard let moment, moment != .distantFuture else { return }
        let alarm = time.schedule(at: moment) { [weak self] in self?.woken(number) }
        let isVoid = drain.withLock { state in
            guard !state.isStopped, state.wakeNumber == number else { return true }
            state.wake = alarm
            return false
        }
        if isVoid { alarm.cancel() }
    }

    private func woken(_ number: UInt64) {
        let isDue = drain.read { $0.wakeNumber == number }
        if isDue { handle(.woken) }
    }
}
