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
            state.agents.append(key)
            return true
        }
        isNew ? request.reply() : request.refuse(.alreadyExists)
    }

    private func unregister(_ key: RegistrationKey, _ request: DBusRequest) {
        let wasThere = state.withLock { state in
            guard let index = state.agents.firstIndex(of: key) else { return false }
            state.agents.remove(at: index)
            return true
        }
        wasThere ? request.reply() : request.refuse(.doesNotExist)
    }

    private func makeDefault(_ key: RegistrationKey, _ request: DBusRequest) {
        let isThere = state.withLock { state in
            guard let index = state.agents.firstIndex(of: key) else { return false }
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
#endif
