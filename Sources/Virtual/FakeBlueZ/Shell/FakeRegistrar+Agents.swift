#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The methods of `AgentManager1`: one agent for each client. The first agent is the default one,
/// and after it the oldest one (5.66 to 5.87, `src/agent.c`). The replies are those of 5.66.
extension FakeRegistrar {
    func receive(_ request: DBusRequest, agent key: RegistrationKey) {
        switch request.member {
        case AgentManager1.registerAgent: register(key, request)
        case AgentManager1.unregisterAgent: unregister(key, request)
        case AgentManager1.requestDefaultAgent: makeDefault(key, request)
        default: request.refuse(.notSupported)
        }
    }

    private func register(_ key: RegistrationKey, _ request: DBusRequest) {
        let capability = request.arguments.last?.string ?? ""
        guard AgentCapability.all.contains(capability) else { return request.refuse(.invalid) }
        let isNew = state.withLock { state in
            guard !state.agents.contains(where: { $0.owner == key.owner }) else { return false }
            let agent = Agent(owner: key.owner, path: key.path, capability: capability)
            state.agents.append(agent)
            return true
        }
        isNew ? request.reply() : request.refuse(.alreadyExists)
    }

    private func unregister(_ key: RegistrationKey, _ request: DBusRequest) {
        let wasThere = state.withLock { state in
            let count = state.agents.count
            state.agents.removeAll { $0.owner == key.owner && $0.path == key.path }
            return state.agents.count < count
        }
        wasThere ? request.reply() : request.refuse(.doesNotExist)
    }

    private func makeDefault(_ key: RegistrationKey, _ request: DBusRequest) {
        let isThere = state.withLock { state in
            guard
                let index = state.agents.firstIndex(where: {
                    $0.owner == key.owner && $0.path == key.path
                })
            else { return false }
            state.agents.insert(state.agents.remove(at: index), at: 0)
            return true
        }
        isThere ? request.reply() : request.refuse(.doesNotExist)
    }

    /// Requests permission to pair.
    ///
    /// An explicit `Pair` calls no agent, but requires one, of any client. When an attribute
    /// demands pairing, the default agent is called, even if the client has its own (all seen,
    /// 5.66).
    func authorize(
        _ device: DBusObjectPath, isMeant: Bool, in shell: FakeShell,
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        let agent = state.withLock { $0.agents.first }
        if isMeant { return completion(agent != nil) }
        guard let agent, let connection = shell.connection else { return completion(false) }
        let call = DBusCall(
            Agent1.requestAuthorization, of: Agent1.interfaceName, at: agent.path,
            on: agent.owner, [.objectPath(device)])
        connection.call(call, timeout: Self.timeout) { answer in
            if case .success = answer { completion(true) } else { completion(false) }
        }
    }
}

/// Bluetooth Classic: profiles (`ProfileManager1`), and codecs and players of an adapter
/// (`Media1`). Registering succeeds without an effect: no device here uses them. Errors are those
/// of 5.66's source, which also checks the properties of codecs and players.
extension FakeRegistrar {
    /// A registration of a profile, a codec or a player.
    struct Profile: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case profile(uuid: String)
            case endpoint(adapter: Int)
            case player(adapter: Int)
            case application(adapter: Int)

            /// The adapter of the registration; `nil` for a profile.
            var adapter: Int? {
                switch self {
                case .profile: nil
                case .endpoint(let adapter), .player(let adapter), .application(let adapter):
                    adapter
                }
            }
        }

        let key: RegistrationKey
        let kind: Kind
    }

    func receive(_ request: DBusRequest, profile key: RegistrationKey) {
        switch request.member {
        case ProfileManager1.registerProfile:
            let uuid = request.arguments.dropFirst().first?.string ?? ""
            register(Profile(key: key, kind: .profile(uuid: uuid)), request)
        case ProfileManager1.unregisterProfile:
            unregister(request) { profile in
                if case .profile = profile.kind { profile.key == key } else { false }
            }
        default: request.refuse(.notSupported)
        }
    }

    func receive(_ request: DBusRequest, media key: RegistrationKey, _ adapter: Int) {
        func begin(_ kind: Profile.Kind) { register(Profile(key: key, kind: kind), request) }
        func end(_ kind: Profile.Kind) {
            unregister(request) { $0 == Profile(key: key, kind: kind) }
        }
        switch request.member {
        case Media1.registerEndpoint: begin(.endpoint(adapter: adapter))
        case Media1.unregisterEndpoint: end(.endpoint(adapter: adapter))
        case Media1.registerPlayer: begin(.player(adapter: adapter))
        case Media1.unregisterPlayer: end(.player(adapter: adapter))
        case Media1.registerApplication: begin(.application(adapter: adapter))
        case Media1.unregisterApplication: end(.application(adapter: adapter))
        default: request.refuse(.notSupported)
        }
    }

    private func register(_ profile: Profile, _ request: DBusRequest) {
        let refusal = state.withLock { state -> DBusRefusal? in
            for other in state.profiles {
                switch (other.kind, profile.kind) {
                case (.profile, .profile) where other.key == profile.key: return .alreadyExists
                case (.profile(let uuid), .profile(let new)) where uuid == new:
                    return DBusRefusal(BlueZErrorName.notPermitted, RegistrationText.taken)
                default: if other == profile { return .alreadyExists }
                }
            }
            state.profiles.append(profile)
            return nil
        }
        if let refusal { request.refuse(refusal) } else { request.reply() }
    }

    private func unregister(_ request: DBusRequest, _ isMeant: (Profile) -> Bool) {
        let wasThere = state.withLock { state in
            let count = state.profiles.count
            state.profiles.removeAll(where: isMeant)
            return state.profiles.count < count
        }
        wasThere ? request.reply() : request.refuse(.doesNotExist)
    }
}
#endif
