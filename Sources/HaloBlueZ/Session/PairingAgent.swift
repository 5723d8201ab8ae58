#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How far the agent is that answers for this computer.
enum PairingAgent: Hashable, Sendable {
    /// The daemon knows of none of ours.
    case absent
    /// It is being told of it; which links wait for that, by their needs, or nothing for a need
    /// that is no more.
    case registering([UInt64: LinkNumber?])
    /// It knows of it, as long as there are these needs.
    case registered(Set<UInt64>)
}

/// Pairing: when an app asks for it or, if the options say so, when a device wants keys (pitfall
/// 20).
///
/// - The daemon pairs with nothing where nobody has an agent. Who calls `Pair` is not asked; who
///   asks for what needs keys has the default agent asked, whoever's it is (5.66, in the virtual
///   machine).
/// - The first agent that a daemon is told of is the default one: it answers for everybody, and
///   what it can show and ask becomes the adapters' (5.66 to 5.87, `src/agent.c`). So ours is there
///   only while it is needed: while the daemon pairs and, if the options say that devices may want
///   it, as long as there are links to devices that are not paired with.
/// - What wants keys is refused with 0x0E at once, sometimes, while the daemon pairs (5.82 and
///   5.87, in the virtual machine): who asks once more gets it.
/// - Asked to pair while it looks for services, the daemon pairs and never answers (5.66, in the
///   virtual machine; its source has no answer there): that the device is paired with says it, too.
/// - Pairing can give a device another address (bleak#1737). A link goes on by the object that
///   the daemon has for the device; who stores identities looks for the device anew.
extension BlueZSession {
    static let agentPath = try? DBusObjectPath("/org/haloprotocol/agent")

    /// Tells a link as soon as the daemon knows of our agent; also if it takes none, as it may
    /// pair all the same.
    mutating func wantAgent(_ need: UInt64, for number: LinkNumber) {
        switch links.agent {
        case .registered(let needs):
            links.agent = .registered(needs.union([need]))
            take(.agentIsThere(need), for: number)
        case .registering(var waiting):
            waiting[need] = number
            links.agent = .registering(waiting)
        case .absent:
            guard let path = Self.agentPath, let root = try? DBusObjectPath(BlueZDaemon.root) else {
                return take(.agentIsThere(need), for: number)
            }
            links.agent = .registering([need: number])
            put(.setAgent(true))
            let capability = options.pairing?.capability ?? .noInputNoOutput
            call(
                AgentManager1.registerAgent, of: AgentManager1.interfaceName, at: root,
                [.objectPath(path), .string(capability.word)]
            ) { session, answer in session.agentAnswered(answer) }
        }
    }

    private mutating func agentAnswered(_ answer: Answer) {
        // A daemon that has gone meanwhile has taken those who waited with it.
        guard case .registering(let waiting) = links.agent else { return }
        if case .failure(let error) = answer, BlueZFault(error).meaning != .alreadyExists {
            links.agent = .absent
            put(.setAgent(false))
        } else {
            links.agent = .registered(Set(waiting.keys))
        }
        for (need, number) in waiting.sorted(by: { $0.key < $1.key }) {
            if let number { take(.agentIsThere(need), for: number) } else { releaseAgent(need) }
        }
    }

    /// It is not needed for that any more: the last need takes the agent with it.
    mutating func releaseAgent(_ need: UInt64) {
        switch links.agent {
        case .absent: return
        case .registering(var waiting):
            // Its answer comes, and is not waited for.
            if waiting[need] != nil { waiting[need] = .some(nil) }
            links.agent = .registering(waiting)
        case .registered(var needs):
            guard needs.remove(need) != nil else { return }
            links.agent = needs.isEmpty ? .absent : .registered(needs)
            guard needs.isEmpty else { return }
            if let path = Self.agentPath, let root = try? DBusObjectPath(BlueZDaemon.root) {
                call(
                    AgentManager1.unregisterAgent, of: AgentManager1.interfaceName, at: root,
                    [.objectPath(path)]
                ) { _, _ in }
            }
            put(.setAgent(false))
        }
    }

    /// Whether a question of the daemon is about a device of ours.
    func isOurs(_ device: DBusObjectPath?) -> Bool {
        device.map { links.byDevice[$0] != nil } ?? false
    }
}
#endif
