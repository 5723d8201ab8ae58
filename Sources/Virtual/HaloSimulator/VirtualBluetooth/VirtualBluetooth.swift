public import HaloProtocol
public import HaloTransport
// The clock is part of the interface of this module.
@_exported public import struct HaloTransport.VirtualClock

/// Bluetooth without a radio: a backend whose devices live in this process, on virtual time.
///
///     let air = VirtualBluetooth(seed: 7)
///     let placed = air.add(device)
///
/// The same seed, devices and calls in the same order lead to the same packets at the same moments.
/// Instances share nothing, so tests can run in parallel.
///
/// It has every optional feature. A link opens at the device's next advertisement, without a
/// timeout.
///
/// Callbacks are made by the thread that advances time, or that made the request. Callbacks of one
/// `VirtualBluetooth` never overlap, and come in the order of events.
public final class VirtualBluetooth: ForwardingTransport {
    private let world: VirtualWorld
    /// The first central, whose transport this is.
    package let base: VirtualCentral

    /// The default start of time: a Monday morning at nine.
    public static let defaultStart = CivilDateTime(secondsSince1970: 20_458 * 86_400 + 9 * 3_600)

    /// Creates an air without devices, with one central: this transport.
    public convenience init(
        seed: UInt64 = 0, mode: VirtualMode = .automatic,
        startingAt start: CivilDateTime = VirtualBluetooth.defaultStart, secondsFromUTC: Int = 0,
        faults: FaultPlan = .none
    ) {
        self.init(
            seed: seed, mode: mode,
            startingAt: WallClock(local: start, secondsFromUTC: secondsFromUTC), faults: faults,
            pacing: .system())
    }

    package init(
        seed: UInt64, mode: VirtualMode, startingAt start: WallClock, faults: FaultPlan,
        pacing: VirtualPacing
    ) {
        world = VirtualWorld(
            seed: seed, mode: mode, startingAt: start, faults: faults, pacing: pacing)
        base = VirtualCentral(name: "central", number: CentralNumber(0), world: world)
    }

    /// Adds a device, which starts at once.
    @discardableResult
    public func add<Device: GATTPeripheral>(
        _ device: Device, at placement: AirPlacement = AirPlacement()
    ) -> Placed<Device> {
        Placed(number: world.state.run { $0.air.add(device, at: placement) }, world: world)
    }

    /// Adds a central with an adapter of its own to the same air.
    public func central(named name: String) -> VirtualCentral {
        VirtualCentral(name: name, number: world.state.run { $0.air.addCentral() }, world: world)
    }

    /// Advances time, and runs every event that is due. A call from a callback, or during an
    /// advance by another thread, returns at once, and time advances afterwards.
    public func advance(by duration: Duration) {
        world.state.run { state in
            let target = max(state.air.now, state.target ?? state.air.now) + duration
            state.target = target
        }
    }

    /// Advances time to the next event. Returns `false` if there is none.
    @discardableResult
    public func step() -> Bool {
        world.state.run { state in
            guard state.air.nextEventTime != nil else { return false }
            state.steps += 1
            return true
        }
    }

    package var nextEventTime: Moment? { world.read { $0.air.nextEventTime } }

    /// The clock of this air.
    public var clock: VirtualClock { VirtualClock(world) }

    /// Moves the wall clock to another time zone: a journey, or the beginning or end of daylight
    /// saving. Devices keep their time, and wearers their habits.
    public func setZone(secondsFromUTC: Int) {
        world.state.run { $0.air.setZone(secondsFromUTC: secondsFromUTC) }
    }

    /// The faults that have happened so far.
    public var faultLog: FaultLog { world.read { $0.air.faultLog } }

    package var losses: AirLosses { world.read { $0.air.losses } }

    package func keepTrace(_ limit: Int) {
        world.state.run { $0.air.keepTrace(limit) }
    }

    package var trace: AirTrace { world.read { $0.air.trace } }

    /// Sets the state of the adapter. In any state but on, links end, and scans and attempts fail.
    public func setAdapterState(_ state: AdapterState) {
        base.setAdapterState(state)
    }
}

extension VirtualBluetooth {
    /// Creates an air with one central and one device.
    public convenience init(_ device: some GATTPeripheral, seed: UInt64 = 0) {
        self.init(seed: seed)
        add(device)
    }
}
