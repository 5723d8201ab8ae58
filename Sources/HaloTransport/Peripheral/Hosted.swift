public import HaloProtocol

/// A device that this program hosts, on the air or on a bus.
///
/// The device exists until ``remove()``, also when this value is dropped. It ends with the program,
/// or with the system's Bluetooth service, at the latest.
public struct Hosted<Device: GATTPeripheral>: Sendable {
    private let host: PeripheralHost<Device>
    private let control: any HostControl

    /// Creates the value that a host returns to an app: a device that the host runs, and its
    /// control.
    public init(_ host: PeripheralHost<Device>, _ control: any HostControl) {
        self.host = host
        self.control = control
    }

    /// The identity for centrals on this computer; `nil` if not known.
    public var identity: PeripheralIdentity? { control.identity }

    /// Changes the device, which then handles ``PeripheralEvent/changed``.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result { host.modify(body) }

    /// The current state of the device.
    public var state: Device { host.device }

    /// `true` while a central is connected.
    public var isConnected: Bool { control.isConnected }

    /// What the host could not do as the device wanted it, in the order in which it was noticed.
    /// The host does the rest.
    public var notes: [HostingNote] { control.notes }

    /// Removes the device, and returns when it is removed.
    public func remove() async { await control.remove() }

    /// Waits for the end of the hosting, and returns the error that ended it; `nil` if the device
    /// was removed by ``remove()``, or if the task is cancelled.
    public func ended() async -> BLEError? { await control.ended() }
}

/// The control of one hosted device, which a backend with hosting implements for ``Hosted``.
public protocol HostControl: AnyObject, Sendable {
    /// The identity for centrals on this computer; `nil` if not known.
    var identity: PeripheralIdentity? { get }

    /// `true` while a central is connected.
    var isConnected: Bool { get }

    /// What the host could not do as the device wanted it. By default, nothing.
    var notes: [HostingNote] { get }

    /// Removes the device, and returns when it is removed.
    func remove() async

    /// Waits for the end of the hosting, and returns the error that ended it; `nil` if the device
    /// was removed by ``remove()``, or if the task is cancelled.
    func ended() async -> BLEError?
}

extension HostControl {
    /// Nothing: the host does all that a device wants.
    public var notes: [HostingNote] { [] }
}

/// Something that a host could not do as the device wanted it: systems set limits to apps.
public struct HostingNote: Hashable, Sendable {
    /// The kinds of notes; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// What the note is about.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// A part of the advertisement is not advertised, or in another way.
        public static let advertisement = Kind("the advertisement")
        /// A service is left out.
        public static let service = Kind("a service")
        /// A descriptor is left out.
        public static let descriptor = Kind("a descriptor")
        /// The link stays open, although the device closes it.
        public static let link = Kind("the link")
        /// Values are lost.
        public static let values = Kind("the values")
    }

    /// The kind of note.
    public let kind: Kind
    /// The service or the descriptor.
    public let uuid: BluetoothUUID?
    /// What was not done, and why.
    public let text: String

    /// Creates a note.
    public init(_ kind: Kind, uuid: BluetoothUUID? = nil, _ text: String) {
        self.kind = kind
        self.uuid = uuid
        self.text = text
    }
}

extension HostingNote: CustomStringConvertible {
    /// The service or the descriptor, and the text.
    public var description: String { uuid.map { "\($0): \(text)" } ?? text }
}

/// A ``PeripheralHost`` of any type of device, for a backend that stores several.
public protocol PeripheralHosting: AnyObject, Sendable {
    /// The services of the device.
    var services: [GATTService] { get }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent)

    /// Ends the device: it handles no further events, and has no further effects.
    func stop()
}

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
    /// The moment of the latest event.
    private var now = Moment.origin
    private var isStopped = false
    private var wake: Cancellable?
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
