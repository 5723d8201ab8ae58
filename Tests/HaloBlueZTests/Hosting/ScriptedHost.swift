#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport

@testable import HaloBlueZ

/// A hosted device whose mirror, daemon and time are what a test says.
struct ScriptedHost {
    static let owner = ":1.7"

    var machine: HostMachine
    var mirror = BlueZMirror()
    var owner: String? = Self.owner
    var now = Moment.origin

    /// A device for which nothing was done yet.
    init(renamesAdapter: Bool = false, powersOn: Bool = false) {
        machine = HostMachine(
            at: HostingDaemon.path("/halo/test"), renamesAdapter: renamesAdapter,
            powersOn: powersOn)
    }

    /// One whose services are registered.
    static func registered() -> ScriptedHost {
        var host = ScriptedHost()
        _ = host.load(HostingWords.adapter)
        _ = host.find()
        _ = host.handle(.started(ContractPeripheral().services))
        _ = host.answer(.register(.application))
        return host
    }

    mutating func handle(_ input: HostInput) -> [HostEffect] {
        var turn = HostTurn(now, mirror, owner: owner)
        machine.handle(input, &turn)
        return turn.effects
    }

    /// The daemon has these objects.
    mutating func load(_ objects: DBusValue) -> [HostEffect] {
        _ = mirror.load(objects)
        return notice(.loaded)
    }

    /// The session has found the first adapter.
    mutating func find() -> [HostEffect] {
        let first = mirror.adapters.values.min { $0.path.comesBefore($1.path) }
        return handle(.adapter(first.map { .success($0) } ?? .failure(Outage(.unsupported, "no"))))
    }

    mutating func notice(_ change: MirrorChange, isOurs: Bool = false) -> [HostEffect] {
        handle(.mirror(change, isOurs: isOurs))
    }

    /// The daemon says something.
    mutating func hear(_ signal: DBusSignal, isOurs: Bool = false) -> [HostEffect] {
        mirror.apply(signal).flatMap { notice($0, isOurs: isOurs) }
    }

    /// The daemon has gone.
    mutating func lose() -> [HostEffect] {
        (mirror, owner) = (BlueZMirror(), nil)
        return notice(.lost("gone"))
    }

    mutating func answer(
        _ question: HostedStay.Question, _ error: DBusError? = nil, in generation: UInt64? = nil
    ) -> [HostEffect] {
        let generation = generation ?? machine.stay?.generation ?? 0
        return handle(.answered(question, error, generation: generation))
    }

    mutating func pass(_ duration: Duration) -> [HostEffect] {
        now = now + duration
        return handle(.time)
    }

    // MARK: Devices

    /// A device of the adapter appears.
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
    /// What the device is told.
    var events: [PeripheralEvent] {
        compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    /// What is asked of the daemon, with what of it is to be told.
    var questions: [(question: HostedStay.Question, generation: UInt64)] {
        compactMap { if case .ask(let question?, _, _) = $0 { question } else { nil } }
    }

    /// Which methods of which objects are called.
    var calls: [DBusCall] {
        compactMap { if case .ask(_, let call, _) = $0 { call } else { nil } }
    }

    var refusals: [UInt64] {
        compactMap { if case .refuse(_, let number) = $0 { number } else { nil } }
    }

    var values: [[UInt8]] {
        compactMap { if case .value(let value, _) = $0 { value } else { nil } }
    }

    /// How it has ended, if it has.
    var end: BLEError?? {
        compactMap { if case .ended(let error) = $0 { .some(error) } else { nil } }.first
    }
}
#endif
