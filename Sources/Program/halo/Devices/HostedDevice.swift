#if os(Linux)
import FakeBlueZ
import HaloTransport

/// A hosted device of any type.
protocol HostedDevice: Sendable {
    var identity: PeripheralIdentity? { get }
    /// `true` while a program is connected.
    var isConnected: Bool { get }
    func waitUntilEnded() async -> BLEError?
    func remove() async
    var keys: [SimulatorKey] { get }
    /// Executes a command. Returns what has happened; `nil` if nothing changes.
    func execute(_ command: SimulatorCommand, percent: Int?) -> String?
    /// The light that the device gives now; `nil` for a device that is no light.
    func light() -> DeviceLight?
    func loseLink(on daemon: FakeBlueZ)
    /// The lines to print at the end of the simulation; `nil` for none.
    var conclusion: String? { get }
}

extension Hosted: HostedDevice where Device: ControlledDevice {
    var keys: [SimulatorKey] { Device.keys }

    func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        // A change without content: the device learns the time, on which the answer depends.
        modify { _ in }
        return modify { $0.execute(command, percent: percent) }
    }

    func light() -> DeviceLight? { state.deviceLight(at: SystemTime().now()) }

    var conclusion: String? { state.conclusion }

    func loseLink(on daemon: FakeBlueZ) {
        modify { $0.expectLostLink() }
        daemon.loseLink(self)
    }
}
#endif
