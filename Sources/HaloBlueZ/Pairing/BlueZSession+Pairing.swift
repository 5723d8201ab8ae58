#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How far the agent is that answers when a device is paired with.
enum PairingAgentState: Hashable, Sendable {
    /// The daemon knows of none of ours.
    case absent
    /// It was told of it.
    case registered
}

/// Pairing: only if the options ask for it (pitfall 20).
///
/// - The daemon is told of an agent before the first link begins: without one it lets devices
///   that want keys go (testbed: error 0x0E, and the link drops). It is never made the default,
///   which would take others' questions away from the person's own.
/// - When a device refuses something for want of keys, it is paired with, once for each thing
///   that is asked for, and asked again.
/// - Pairing can give a device another address (bleak#1737). A link goes on by the object that
///   the daemon has for the device; who stores identities looks for the device anew.
extension BlueZSession {
    /// How long pairing may take: there may be a person at the other end.
    static let pairingTimeout: Duration = .seconds(60)
    /// How long is waited when the daemon is pairing already.
    static let pairingPause: Duration = .seconds(1)
    /// Where our agent is on the bus.
    static let agentPath = try? DBusObjectPath("/org/haloprotocol/agent")

    /// Tells the daemon of our agent, if it is to have one.
    mutating func prepareAgent(_ shell: LinkShell) {
        guard let pairing = options.pairing, links.agent == .absent, let path = Self.agentPath,
            let root = try? DBusObjectPath(BlueZDaemon.root)
        else { return }
        links.agent = .registered
        perform { shell.exportAgent() }
        call(
            AgentManager1.registerAgent, of: AgentManager1.interfaceName, at: root,
            [.objectPath(path), .string(pairing.capability.word)]
        ) { session, answer in
            guard case .failure(let error) = answer,
                BlueZFault(error).meaning != .alreadyExists
            else { return }
            session.links.agent = .absent
        }
    }

    /// The daemon is gone, and has forgotten the agent.
    mutating func agentVanished() {
        links.agent = .absent
    }

    /// Pairs with the device, and asks it again for what it refused.
    mutating func pair(
        for operation: LinkOperation, _ fault: BlueZFault, on number: LinkNumber
    ) {
        guard let device = links[number]?.device else { return }
        links[number]?.current?.hasPaired = true
        let step = operation.number
        call(
            Device1.pair, of: Device1.interfaceName, at: device, timeout: Self.pairingTimeout
        ) { session, answer in
            guard let current = session.links[number]?.current, current.number == step else {
                return
            }
            session.paired(current, fault, answer, on: number)
        }
    }

    private mutating func paired(
        _ operation: LinkOperation, _ refusal: BlueZFault, _ answer: Answer,
        on number: LinkNumber
    ) {
        guard links[number]?.isOpen == true else { return }
        // A person may have taken long to answer; the device has not yet been asked.
        var operation = operation
        operation.began = now
        links[number]?.current?.began = now
        switch answer {
        case .success:
            start(operation, on: number)
        case .failure(let error):
            let fault = BlueZFault(error)
            switch fault.meaning {
            case .alreadyExists: start(operation, on: number)
            case .inProgress: again(operation, after: Self.pairingPause, on: number)
            default:
                var error = refusal.error(operation.kind)
                error.details = "\(refusal.details); pairing: \(fault.details)"
                finish(.failure(error), on: number)
            }
        }
    }

    /// Whether a question of the daemon is about a device of ours.
    func isOurs(_ device: DBusObjectPath?) -> Bool {
        device.map { links.byDevice[$0] != nil } ?? false
    }
}
#endif
