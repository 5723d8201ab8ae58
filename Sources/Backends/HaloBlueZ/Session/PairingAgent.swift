#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

enum PairingAgent: Hashable, Sendable {
    case absent
    /// Being registered, with the waiting links by need; `nil` for a need that was released.
    case registering([UInt64: LinkNumber?])
    case registered(Set<UInt64>)
}

/// Pairing: on the app's request or, if the options allow it, when a device demands encryption
/// (pitfall 20).
///
/// - Without any agent the daemon does not pair. `Pair` calls no agent; an operation that needs
///   encryption calls the default agent of any program (5.66, in the virtual machine).
/// - The first registered agent is the default one: it answers for all programs, and its capability
///   becomes the adapters' (5.66 to 5.87, `src/agent.c`). So ours is registered only while it is
///   needed: during pairing and, if the options allow devices to demand it, while there are links
///   to devices that are not paired.
/// - An operation that needs encryption is sometimes refused with 0x0E at once while the daemon
///   pairs (5.82 and 5.87, in the virtual machine): a retry succeeds. 5.66 loses it instead: after
///   30 s it ends the link. Both happen if the device's refusal arrives in the turn in which the
///   daemon has sent the request; it then writes the request again before the kernel's socket is
///   ready. A device on air answers later.
/// - `Pair` during service discovery is carried out and never answered (5.66, in the virtual
///   machine; its source has no reply there): the device's `Paired` shows the success, too.
/// - Pairing can change a device's address (bleak#1737). A link goes on with the device's D-Bus
///   object; an app that stores identities has to scan anew.
extension BlueZSession {
    static let agentPath = DBusObjectPath(unchecked: "/org/haloprotocol/agent")

    /// Registers the agent for a need, and reports to the link. If the daemon refuses the agent, it
    /// reports too, as pairing may work all the same.
    mutating func requestAgent(_ need: UInt64, for number: LinkNumber) {
        switch links.agent {
        case .registered(let needs):
            links.agent = .registered(needs.union([need]))
            handle(.agentReady(need), for: number)
        case .registering(var waiting):
            waiting[need] = number
            links.agent = .registering(waiting)
        case .absent:
            links.agent = .registering([need: number])
            put(.setAgent(true))
            call(
                AgentManager1.registerAgent, of: AgentManager1.interfaceName, at: BlueZDaemon.root,
                [.objectPath(Self.agentPath), .string(AgentCapability.noInputNoOutput)]
            ) { session, answer in session.agentAnswered(answer) }
        }
    }

    private mutating func agentAnswered(_ answer: Answer) {
        // If the daemon is gone, the waiting links have ended, too.
        guard case .registering(let waiting) = links.agent else { return }
        if case .failure(let error) = answer, BlueZFault(error).meaning != .alreadyExists {
            links.agent = .absent
            put(.setAgent(false))
        } else {
            links.agent = .registered(Set(waiting.keys))
        }
        for (need, number) in waiting.sortedByKey {
            if let number { handle(.agentReady(need), for: number) } else { releaseAgent(need) }
        }
    }

    /// Releases a need; the last one unregisters the agent.
    mutating func releaseAgent(_ need: UInt64) {
        switch links.agent {
        case .absent: return
        case .registering(var waiting):
            // The reply is still to come, and will be ignored.
            if waiting[need] != nil { waiting[need] = .some(nil) }
            links.agent = .registering(waiting)
        case .registered(var needs):
            guard needs.remove(need) != nil else { return }
            links.agent = needs.isEmpty ? .absent : .registered(needs)
            guard needs.isEmpty else { return }
            call(
                AgentManager1.unregisterAgent, of: AgentManager1.interfaceName,
                at: BlueZDaemon.root, [.objectPath(Self.agentPath)]
            ) { _, _ in }
            put(.setAgent(false))
        }
    }

    func isOurs(_ device: DBusObjectPath?) -> Bool {
        device.map { links.byDevice[$0] != nil } ?? false
    }
}
#endif
