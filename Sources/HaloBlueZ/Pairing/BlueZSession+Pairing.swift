#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How far the agent is that answers for this computer.
enum PairingAgent: Sendable {
    /// The daemon knows of none of ours.
    case absent
    /// It is being told of it; what is to be done then, by the need for it.
    case registering([UInt64: BlueZSession.Action])
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
    /// How long pairing may take: there may be a person at the other end.
    static let pairingTimeout: Duration = .seconds(60)
    /// How long is waited when the daemon is pairing already.
    static let pairingPause: Duration = .seconds(1)
    /// How often: somebody else's pairing takes no longer than ours may.
    static let maximumPairingPauses = 60
    /// Where our agent is on the bus.
    static let agentPath = try? DBusObjectPath("/org/haloprotocol/agent")

    /// `true` if the options say to pair with devices that want it, and the device of a link was
    /// not paired with when that began; what is under way was not refused before.
    func mayWantKeys(_ operation: LinkOperation, on number: LinkNumber) -> Bool {
        operation.refusal == nil && links[number]?.agentNeed != nil
    }

    /// Pairs with the device of a link, which has refused what is under way there.
    mutating func pair(becauseOf fault: BlueZFault, on number: LinkNumber) {
        links[number]?.current?.refusal = fault
        links[number]?.current.map { pair(for: $0, on: number) }
    }

    /// Pairs with the device of a link, for what is under way there.
    mutating func pair(for operation: LinkOperation, on number: LinkNumber) {
        guard let shell = links[number]?.shell else { return }
        let (step, need) = (operation.number, links.newNumber())
        withAgent(need, shell) { session in
            guard let course = session.links[number], course.current?.number == step,
                let device = course.device
            else { return session.letAgentGo(need, shell) }
            session.links[number]?.current?.pairingNeed = need
            session.call(
                Device1.pair, of: Device1.interfaceName, at: device, timeout: Self.pairingTimeout
            ) { session, answer in
                session.letAgentGo(need, shell)
                guard let current = session.links[number]?.current, current.number == step,
                    current.pairingNeed == need
                else { return }
                var fault: BlueZFault?
                if case .failure(let error) = answer { fault = BlueZFault(error) }
                session.paired(current, fault, on: number)
            }
        }
    }

    /// A property of a device has changed: if that was `Paired`, whoever waits for it goes on.
    mutating func pairingNoticed(of device: DBusObjectPath) {
        guard let number = links.byDevice[device], mirror.devices[device]?.isPaired == true,
            let course = links[number], let current = course.current,
            let need = current.pairingNeed
        else { return }
        letAgentGo(need, course.shell)
        paired(current, nil, on: number)
    }

    private mutating func paired(
        _ operation: LinkOperation, _ fault: BlueZFault?, on number: LinkNumber
    ) {
        links[number]?.current?.pairingNeed = nil
        guard links[number]?.isOpen == true else { return }
        // A person may have taken long to answer; the device has not yet been asked.
        var operation = operation
        operation.began = now
        operation.pairingNeed = nil
        links[number]?.current?.began = now
        switch fault?.meaning {
        case nil, .alreadyExists:
            if case .pair = operation.work { return finish(.success([]), on: number) }
            start(operation, on: number)
        case .inProgress where operation.retries < Self.maximumPairingPauses:
            links[number]?.current?.retries += 1
            again(operation, after: Self.pairingPause, on: number)
        default:
            finish(.failure(pairingError(operation, fault)), on: number)
        }
    }

    /// What the device said before it was paired with, and what came of that.
    private func pairingError(_ operation: LinkOperation, _ fault: BlueZFault?) -> BLEError {
        let words = fault?.details ?? ""
        guard let refusal = operation.refusal else {
            return fault?.error(operation.kind) ?? BLEError(.backend, operation.kind)
        }
        var error = refusal.error(operation.kind)
        error.details = "\(refusal.details); pairing: \(words)"
        return error
    }

    // MARK: The agent

    /// Has our agent there for a link to a device that may want to be paired with.
    mutating func holdAgent(for number: LinkNumber) {
        guard options.pairing != nil, let course = links[number], course.agentNeed == nil,
            course.device.flatMap({ mirror.devices[$0]?.isPaired }) != true
        else { return }
        let need = links.newNumber()
        links[number]?.agentNeed = need
        withAgent(need, course.shell) { _ in }
    }

    /// Does something as soon as the daemon knows of our agent; also if it takes none, as it may
    /// pair all the same.
    private mutating func withAgent(
        _ need: UInt64, _ shell: LinkShell, then action: @escaping Action
    ) {
        switch links.agent {
        case .registered(var needs):
            needs.insert(need)
            links.agent = .registered(needs)
            action(&self)
        case .registering(var waiting):
            waiting[need] = action
            links.agent = .registering(waiting)
        case .absent:
            guard let path = Self.agentPath, let root = try? DBusObjectPath(BlueZDaemon.root)
            else { return action(&self) }
            links.agent = .registering([need: action])
            perform { shell.setAgent(true) }
            let capability = options.pairing?.capability ?? .noInputNoOutput
            call(
                AgentManager1.registerAgent, of: AgentManager1.interfaceName, at: root,
                [.objectPath(path), .string(capability.word)]
            ) { session, answer in
                session.agentAnswered(answer, shell)
            }
        }
    }

    private mutating func agentAnswered(_ answer: Answer, _ shell: LinkShell) {
        // A daemon that has gone meanwhile has taken those who waited with it.
        guard case .registering(let waiting) = links.agent else { return }
        if case .failure(let error) = answer, BlueZFault(error).meaning != .alreadyExists {
            links.agent = .absent
            perform { shell.setAgent(false) }
        } else {
            links.agent = .registered(Set(waiting.keys))
        }
        for (_, action) in waiting.sorted(by: { $0.key < $1.key }) { action(&self) }
    }

    /// It is not needed for that any more: the last need takes the agent with it.
    mutating func letAgentGo(_ need: UInt64, _ shell: LinkShell) {
        switch links.agent {
        case .absent: return
        case .registering(var waiting):
            // Its answer comes, and is not waited for.
            if waiting[need] != nil { waiting[need] = { $0.letAgentGo(need, shell) } }
            links.agent = .registering(waiting)
            return
        case .registered(var needs):
            guard needs.remove(need) != nil else { return }
            links.agent = .registered(needs)
            guard needs.isEmpty else { return }
        }
        links.agent = .absent
        if let path = Self.agentPath, let root = try? DBusObjectPath(BlueZDaemon.root) {
            call(
                AgentManager1.unregisterAgent, of: AgentManager1.interfaceName, at: root,
                [.objectPath(path)]
            ) { _, _ in }
        }
        perform { shell.setAgent(false) }
    }

    /// The daemon is gone, and has forgotten the agent.
    mutating func agentVanished() {
        links.agent = .absent
    }

    /// Whether a question of the daemon is about a device of ours.
    func isOurs(_ device: DBusObjectPath?) -> Bool {
        device.map { links.byDevice[$0] != nil } ?? false
    }
}
#endif
