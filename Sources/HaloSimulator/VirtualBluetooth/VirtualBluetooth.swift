public import HaloProtocol
public import HaloTransport

/// Bluetooth without a radio: a backend whose devices live in this process, on virtual time.
///
///     let air = VirtualBluetooth(seed: 7)
///     let placed = air.add(device)
///
/// The same seed, devices and calls in the same order lead to the same packets at the same
/// moments. Any number of them live side by side and share nothing.
///
/// A callback comes on the thread that made time pass, or that asked; callbacks of one
/// `VirtualBluetooth` never overlap, and come in the order in which things happened.
public final class VirtualBluetooth: BLETransport {
    private let world: VirtualWorld
    private let first: VirtualCentral

    /// A Monday morning at nine: the beginning of time unless another is given.
    public static let defaultStart = CivilDateTime(secondsSince1970: 20_458 * 86_400 + 9 * 3_600)

    /// An air with one central, this one, and no devices.
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
        first = VirtualCentral(name: "central", number: CentralNumber(0), world: world)
    }

    /// Adds a device, which comes to life at once.
    @discardableResult
    public func add<Device: GATTPeripheral>(
        _ device: Device, at placement: AirPlacement = AirPlacement()
    ) -> Placed<Device> {
        Placed(number: world.change { $0.air.add(device, at: placement) }, world: world)
    }

    /// A further central in the same air, with an adapter of its own.
    public func central(named name: String) -> VirtualCentral {
        VirtualCentral(name: name, number: world.change { $0.air.addCentral() }, world: world)
    }

    /// Lets so much time pass, with all that happens in it. Called from one of this air's
    /// callbacks, or while another thread lets time pass, it returns at once, and the time passes
    /// afterwards.
    public func advance(by duration: Duration) {
        world.change { state in
            let target = max(state.air.now, state.target ?? state.air.now) + duration
            state.target = target
        }
    }

    /// Lets time pass until the next event, and says whether there was one to come.
    @discardableResult
    public func step() -> Bool {
        world.change { state in
            guard state.air.nextEventTime != nil else { return false }
            state.steps += 1
            return true
        }
    }

    /// When the next event is due; nothing if nothing will ever happen by itself.
    public var nextEventTime: Moment? { world.read { $0.air.nextEventTime } }

    /// The clock of this air.
    public var clock: VirtualClock { VirtualClock(world: world) }

    /// Moves the clocks on the walls to another time zone: a journey, or the beginning or the end
    /// of daylight saving. Devices keep the time that they have, and wearers their habits.
    public func setZone(secondsFromUTC: Int) {
        world.change { $0.air.setZone(secondsFromUTC: secondsFromUTC) }
    }

    /// The faults that have happened so far.
    public var faultLog: FaultLog { world.read { $0.air.faultLog } }

    /// What was dropped or cut because somebody sent too much.
    public var losses: AirLosses { world.read { $0.air.losses } }

    /// Remembers the last so many things that happen on links.
    public func keepTrace(_ limit: Int) {
        world.change { $0.air.keepTrace(limit) }
    }

    /// The last things that happened on links, as many as ``keepTrace(_:)`` said.
    public var trace: AirTrace { world.read { $0.air.trace } }

    // What a transport does, this central does.

    /// The time that passes in the air.
    public var time: any TransportTime { first.time }

    /// All that a backend can do.
    public var features: TransportFeatures { first.features }

    /// Whether the adapter can be used.
    public var adapterState: AdapterState { first.adapterState }

    /// Switches the adapter. Unless it is on, links end and scans and attempts fail.
    public func setAdapterState(_ state: AdapterState) {
        first.setAdapterState(state)
    }

    /// Tells of each change of the adapter.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> Registration {
        first.observeAdapter(change)
    }

    /// Listens for advertisements.
    public func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration {
        first.startScan(filter, report)
    }

    /// Connects when the device is heard next, however long that takes.
    public func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration {
        first.openLink(to: identity, events: events, completion: completion)
    }
}
