public import HaloProtocol

/// A device as a value: events and the time go in, effects come out.
///
/// It knows no clock, no task and no radio, so it is met in-process in tests, on a bus, or on the
/// air, and is the same everywhere. One central at a time is connected to it.
///
/// A host keeps to these rules. Events come in the order of time. Each read, and each write with
/// a token, is answered once, at once or later; a host answers for a device that never does,
/// after the thirty seconds that Bluetooth gives it, by closing the link. What a device sends
/// while nobody is connected or subscribed goes nowhere.
public protocol GATTPeripheral: Sendable {
    /// What the device consists of. It may change; then the device says so by
    /// ``PeripheralEffect/servicesChanged``.
    var services: [GATTService] { get }

    /// Takes in one event, and puts down what the device does about it.
    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects)
}
