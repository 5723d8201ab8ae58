import HaloCapture
import HaloProtocol
import HaloTransport

/// A virtual device that keys and commands control.
protocol ControlledDevice: GATTPeripheral {
    var name: String { get }

    static var keys: [SimulatorKey] { get }

    /// The commands that control such devices; by default those of the keys.
    static var commands: [SimulatorCommand] { get }

    /// Executes a command, with the percentage of one that takes it. Returns what has happened;
    /// `nil` if nothing changes.
    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String?

    /// The light that the device gives at a moment; `nil` for a device that is no light.
    func deviceLight(at now: Moment) -> DeviceLight?

    /// Called before the host breaks the link, if there is one.
    mutating func expectLostLink()

    /// Sets the identity in a recording; a device without one has no use for it.
    mutating func setIdentity(_ identity: PeripheralIdentity)

    /// The lines to print at the end of a simulation; `nil` for none.
    var conclusion: String? { get }
}

extension ControlledDevice {
    static var commands: [SimulatorCommand] { keys.flatMap(\.commands) }

    func deviceLight(at now: Moment) -> DeviceLight? { nil }

    mutating func expectLostLink() {}

    mutating func setIdentity(_ identity: PeripheralIdentity) {}

    var conclusion: String? { nil }

    func recorded(
        as identity: PeripheralIdentity, to recorder: CaptureRecorder
    ) -> any ControlledDevice {
        RecordingPeripheral(self, as: identity, to: recorder)
    }
}

extension RecordingPeripheral: ControlledDevice where Base: ControlledDevice {
    static var keys: [SimulatorKey] { Base.keys }

    var name: String { base.name }

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        base.execute(command, percent: percent)
    }

    func deviceLight(at now: Moment) -> DeviceLight? { base.deviceLight(at: now) }

    mutating func setIdentity(_ identity: PeripheralIdentity) { self.identity = identity }

    var conclusion: String? { base.conclusion }
}
