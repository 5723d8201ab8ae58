import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport

@testable import HaloBlueZ

/// A hosted device whose mirror, daemon and time are controlled by a test.
struct ScriptedHost {
    static let owner = ":1.7"

    var machine: HostMachine
    var mirror = BlueZMirror()
    var owner: String? = Self.owner
    var now = Moment.origin

    /// Creates a device before its first input.
    init(renamesAdapter: Bool = false, powersOn: Bool = false) {
        machine = HostMachine(
            at: HostingDaemon.path("/halo/test"), renamesAdapter: renamesAdapter,
            powersOn: powersOn)
    }

    /// Creates a device whose services are registered.
    static func registered() -> ScriptedHost {
        var host = ScriptedHost()
        _ = host.load(HostingWords.adapter)
        _ = host.find()
        _ = host.handle(.started(ContractPeripheral().services))
        _ = host.answer(.register(.application))
        return host
    }

    mutating func handle(_ input: HostInput) -> [HostEffect] {
        var turn = HostTurn(now: now, mirror: mirror, owner: owner)
        machine.handle(input, &turn)
        return turn.effects
    }

    /// Loads the daemon's objects.
    mutating func load(_ objects: DBusValue) -> [HostEffect] {
        _ = mirror.load(objects)
        return notice(.loaded)
    }

    /// Reports the first adapter, as the session does.
    mutating func find() -> [HostEffect] {
        let first = mirror.adapters.values.min { $0.path.comesBefore($1.path) }
        return handle(.adapter(first.map { .success($0) } ?? .failure(Outage(.noBluetooth, "no"))))
    }

    mutating func notice(_ change: MirrorChange, isOurs: Bool = false) -> [HostEffect] {
        handle(.mirror(change, isOurs: isOurs))
    }

    /// Receives a signal of the daemon.
    mutating func hear(_ signal: DBusSignal, isOurs: Bool = false) -> [HostEffect] {
        mirror.apply(signal).flatMap { notice($0, isOurs: isOurs) }
    }

    /// Reports the loss of the daemon.
    mutating func lose() -> [HostEffect] {
        (mirror, owner) = (BlueZMirror(), nil)
        return notice(.lost("gone"))
    }

    mutating func answer(
        _ tracked: HostedEpoch.TrackedCall, _ error: DBusError? = nil, in generation: UInt64? = nil
    ) -> [HostEffect] {
        let generation = generation ?? machine.epoch?.generation ?? 0
        return handle(.answered(tracked, error, generation: generation))
    }

    mutating func pass(_ duration: Duration) -> [HostEffect] {
        now = now + duration
        return handle(.deadline)
    }

    // MARK: Devices

    /// Adds a device of the adapter.
    mutating func meet(_ device: DBusObjectPath, connected: Bool = false) -> [HostEffect] {
        hear(
            Tree.added(
                device,
                [
                    Device1.interfaceName: [
                        Device1.adapter: .objectPath(HostingDaemon.adapter),
                        Device1.connected: .boolean(connected),
                    ]
                ]))
    }

    mutating func connect(
        _ device: DBusObjectPath, _ isOn: Bool = true, isOurs: Bool = false
    ) -> [HostEffect] {
        hear(
            Tree.changed(
                device, Device1.interfaceName, [Device1.connected: .boolean(isOn)]),
            isOurs: isOurs)
    }
}

extension [HostEffect] {
    /// The events for the device.
    var events: [PeripheralEvent] {
        compactMap { if case .deliver(let event) = $0 { event } else { nil } }
    }

    /// The tracked calls to the daemon.
    var questions: [(tracked: HostedEpoch.TrackedCall, generation: UInt64)] {
        compactMap { if case .ask(let tracked?, _, _) = $0 { tracked } else { nil } }
    }

    /// The called methods with their objects.
    var calls: [DBusCall] {
        compactMap { if case .ask(_, let call, _) = $0 { call } else { nil } }
    }

    var refusals: [UInt64] {
        compactMap { if case .refuse(_, let number) = $0 { number } else { nil } }
    }

    var values: [[UInt8]] {
        compactMap { if case .value(let value, _) = $0 { value } else { nil } }
    }

    var faults: [String] {
        compactMap { if case .reportFault(let text) = $0 { text } else { nil } }
    }

    /// The end, if there was one.
    var end: BLEError?? {
        compactMap { if case .ended(let error) = $0 { .some(error) } else { nil } }.first
    }
}
