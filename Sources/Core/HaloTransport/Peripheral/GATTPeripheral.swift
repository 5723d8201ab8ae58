public import HaloProtocol

/// A device as a value: it receives events with their moments, and returns effects.
///
/// A device has no clock, no task and no radio: the same device runs in-process in tests, on a
/// private bus, or on the air. At most one central at a time is connected to it.
///
/// Rules of a host: Events come in the order of time. The device responds once to each read, and to
/// each write with a token, at once or later. If it does not respond within the 30 seconds of an
/// ATT transaction, the host closes the link. Values are dropped if no central is connected or
/// subscribed.
public protocol GATTPeripheral: Sendable {
    /// The services; after a change, the device returns ``PeripheralEffect/servicesChanged``.
    var services: [GATTService] { get }

    /// Handles one event, and appends its effects.
    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects)
}
