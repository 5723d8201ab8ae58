import HaloProtocol
import HaloTransport

/// A virtual device that keys control.
protocol KeyControlled: GATTPeripheral {
    /// The name that the device advertises.
    var name: String { get }

    /// The keys that control such devices.
    static var keys: [SimulatorKey] { get }

    /// Does what a key says, and returns what has happened; `nil` if the device cannot do it.
    mutating func press(_ key: SimulatorKey) -> String?

    /// The light that the device gives at a moment; `nil` for a device that is no light.
    func deviceLight(at now: Moment) -> DeviceLight?
}

extension KeyControlled {
    func deviceLight(at now: Moment) -> DeviceLight? { nil }
}
