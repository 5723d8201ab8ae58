public import HaloProtocol
internal import HaloSimulator
public import HaloTransport

/// The radio of a phone: a transport for the role of the central, and a place for the one device
/// that the phone hosts.
public protocol PhoneRadio: BLETransport {
    /// Puts a device on the air; `nil` for a radio that cannot host.
    func host(_ device: PhoneDevice) -> HostedPhone?
}

extension PhoneRadio {
    /// Returns `nil`: this radio cannot host.
    public func host(_ device: PhoneDevice) -> HostedPhone? { nil }
}

/// The device of a phone on the air, as the phone controls it.
public struct HostedPhone: Sendable {
    /// The identity that centrals see.
    let identity: PeripheralIdentity?
    /// Changes the device, which then handles ``PeripheralEvent/changed``.
    let modify: @Sendable (@escaping @Sendable (inout PhoneDevice) -> Void) -> Void

    /// Creates the control of a device.
    public init(
        identity: PeripheralIdentity?,
        modify: @escaping @Sendable (@escaping @Sendable (inout PhoneDevice) -> Void) -> Void
    ) {
        self.identity = identity
        self.modify = modify
    }
}

/// The device that a phone hosts: it passes events to the phone, and effects of the phone to the
/// radio.
public struct PhoneDevice: GATTPeripheral {
    /// The services of all apps of the phone.
    public internal(set) var services: [GATTService] = []
    /// The effects that wait for the next event.
    var effects: [PeripheralEffect] = []
    private let report: @Sendable (PeripheralEvent) -> Void

    init(_ report: @escaping @Sendable (PeripheralEvent) -> Void) { self.report = report }

    /// Passes an event to the phone, and performs the effects that wait.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        for effect in self.effects { effects.append(effect) }
        self.effects = []
        if event != .changed { report(event) }
    }
}

/// Any transport as a radio. It can host if it has a virtual air for the device.
struct TransportRadio: PhoneRadio {
    let transport: any BLETransport
    var air: VirtualBluetooth?

    var time: any TransportTime { transport.time }
    var features: TransportFeatures { transport.features }
    var adapterState: AdapterState { transport.adapterState }

    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> BLECancellable {
        transport.observeAdapter(change)
    }

    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        transport.startScan(filter, report)
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        transport.openLink(to: identity, events: events, completion: completion)
    }

    func host(_ device: PhoneDevice) -> HostedPhone? {
        guard let placed = air?.add(device) else { return nil }
        return HostedPhone(identity: placed.identity) { change in placed.modify { change(&$0) } }
    }
}
