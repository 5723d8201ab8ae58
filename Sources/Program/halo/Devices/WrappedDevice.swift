import HaloProtocol
import HaloTransport

/// A device around another one, which is controlled in its place.
protocol WrappedDevice: ControlledDevice {
    associatedtype Base: ControlledDevice

    var base: Base { get set }
}

extension WrappedDevice {
    var name: String { base.name }

    static var keys: [SimulatorKey] { Base.keys }

    static var commands: [SimulatorCommand] { Base.commands }

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        base.execute(command, percent: percent)
    }

    func deviceLight(at now: Moment) -> DeviceLight? { base.deviceLight(at: now) }

    mutating func expectLostLink() { base.expectLostLink() }

    var conclusion: String? { base.conclusion }
}
