import HaloProtocol
import HaloTransport

/// A virtual device that keys and commands control.
protocol ControlledDevice: GATTPeripheral {
    /// The name that the device advertises.
    var name: String { get }

    /// The keys that control such devices.
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

    /// The lines to print at the end of a simulation; `nil` for none.
    var conclusion: String? { get }
}

extension ControlledDevice {
    static var commands: [SimulatorCommand] { keys.flatMap(\.commands) }

    func deviceLight(at now: Moment) -> DeviceLight? { nil }

    mutating func expectLostLink() {}

    var conclusion: String? { nil }
}
