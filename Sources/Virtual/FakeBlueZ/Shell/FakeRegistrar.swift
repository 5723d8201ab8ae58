#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What programs register with a daemon: applications, advertisements, agents.
///
/// The applications and advertisements of an adapter are one device for the other adapters. A
/// program's registrations end when it leaves the bus.
struct FakeRegistrar {
    typealias Key = RegisteredApplication.Key

    enum Kind: CaseIterable {
        case application, advertisement
    }

    /// The device of an adapter with a registration.
    struct Host {
        let remote: RegisteredRemote
        let peripheral: Int
        /// The registrations, also pending ones.
        var keys: [Kind: Set<Key>] = [:]
    }

    struct State {
        var hosts: [Int: Host] = [:]
        var subscriptions: [String: DBusSubscription] = [:]
        /// The agents, the default one first.
        var agents: [Key] = []
    }

    let shell: FakeShell
    let connection: DBusConnection

    private var state: Locked<State> { shell.registrations }

    /// The controller's number of advertisements, as the emulator's (seen).
    static let maximumAdvertisements = 5
    static let timeout: Duration = .seconds(20)

    /// Handles a request to `GattManager1` or `LEAdvertisingManager1` of an adapter, or to
    /// `AgentManager1`, which has no adapter.
    func receive(_ request: DBusRequest, adapter: Int?) {
        guard let owner = request.sender, let path = request.arguments.first?.objectPath else {
            return request.refuse(.invalid)
        }
        let key = Key(owner: owner, path: path)
        guard let adapter else { return receive(request, agent: key) }
        switch request.member {
        case GattManager1.registerApplication: register(.application, key, request, adapter)
        case GattManager1.unregisterApplication: unregister(.application, key, request, adapter)
        case LEAdvertisingManager1.registerAdvertisement:
            register(.advertisement, key, request, adapter)
        case LEAdvertisingManager1.unregisterAdvertisement:
            unregister(.advertisement, key, request, adapter)
        default: request.refuse(.notSupported)
        }
    }

    private func register(
        _ kind: Kind, _ key: Key, _ request: DBusRequest, _ adapter: Int
    ) {
        guard let remote = remote(adapter) else { return request.refuse(.gone(request)) }
        let refusal = state.withLock { state -> DBusRefusal? in
            let present = state.hosts[adapter]?.keys[kind] ?? []
            if present.contains(key) { return .alreadyExists }
            guard kind == .application || present.count < Self.maximumAdvertisements else {
                return .tooManyAdvertisements
            }
            state.hosts[adapter]?.keys[kind, default: []].insert(key)
            return nil
        }
        if let refusal { return request.refuse(refusal) }
        // The subscription comes before the objects are read, so that no change is missed.
        hear(key.owner)
        switch kind {
        case .application:
            readObjects(key) { entries in
                finish(kind, key, request, adapter, orElse: .noObject) {
                    () throws(DBusRefusal) in
                    try remote.add(key, entries)
                }
            }
        case .advertisement:
            readAdvertisement(key, adapter) { content in
                // The real daemon's error for an advertisement that is removed before it is
                // registered.
                finish(kind, key, request, adapter, orElse: .incomplete) {
                    () throws(DBusRefusal) in
                    let content = try content.get().content
                    guard shell.read({ $0.adapters[adapter]?.isPowered }) == true else {
                        throw DBusRefusal.notTaken
                    }
                    remote.set(content, key)
                    updateInstanceCounts(adapter)
                }
            }
        }
    }

    /// Ends a registration with its reply; refuses it if it was withdrawn meanwhile.
    private func finish(
        _ kind: Kind, _ key: Key, _ request: DBusRequest, _ adapter: Int,
        orElse refusal: DBusRefusal, _ body: () throws(DBusRefusal) -> Void
    ) {
        let isKnown = state.withLock { $0.hosts[adapter]?.keys[kind]?.contains(key) == true }
        guard isKnown else { return request.refuse(refusal) }
        do throws(DBusRefusal) {
            try body()
            request.reply()
        } catch {
            state.withLock { _ = $0.hosts[adapter]?.keys[kind]?.remove(key) }
            request.refuse(error)
        }
    }

    private func unregister(
        _ kind: Kind, _ key: Key, _ request: DBusRequest, _ adapter: Int
    ) {
        let wasKnown = state.withLock { $0.hosts[adapter]?.keys[kind]?.remove(key) != nil }
        guard wasKnown else { return request.refuse(.doesNotExist) }
        withdraw(kind, key, adapter)
        request.reply()
    }

    private func withdraw(_ kind: Kind, _ key: Key, _ adapter: Int) {
        let remote = state.withLock { $0.hosts[adapter]?.remote }
        switch kind {
        case .application: remote?.removeApplication(key)
        case .advertisement:
            remote?.set(nil, key)
            updateInstanceCounts(adapter)
        }
    }

    func clientDisconnected(_ name: String) {
        let (left, subscription) = state.withLock { state in
            var left: [(kind: Kind, key: Key, adapter: Int)] = []
            for kind in Kind.allCases {
                for (adapter, host) in state.hosts {
                    for key in host.keys[kind] ?? [] where key.owner == name {
                        left.append((kind, key, adapter))
                        state.hosts[adapter]?.keys[kind]?.remove(key)
                    }
                }
            }
            state.agents.removeAll { $0.owner == name }
            return (left, state.subscriptions.removeValue(forKey: name))
        }
        subscription?.cancel()
        for (kind, key, adapter) in left { withdraw(kind, key, adapter) }
    }

    /// Removes an adapter's registrations, and releases its advertisements.
    func adapterRemoved(_ number: Int) {
        guard let host = state.withLock({ $0.hosts.removeValue(forKey: number) }) else { return }
        for key in host.keys[.advertisement] ?? [] {
            connection.call(
                DBusCall(
                    LEAdvertisement1.release, of: LEAdvertisement1.interfaceName, at: key.path,
                    on: key.owner)
            ) { _ in }
        }
        Self.remove(host, from: shell)
    }

    static func reset(_ shell: FakeShell) {
        let old = shell.registrations.withLock { state in
            defer { state = State() }
            return state
        }
        for host in old.hosts.values { remove(host, from: shell) }
    }

    private static func remove(_ host: Host, from shell: FakeShell) {
        shell.update { $0.removePeripheral(host.peripheral) }
        host.remote.unexportCentrals()
    }

    /// Returns the hosted device of an adapter, which is created on first use; `nil` if there is no
    /// such adapter.
    private func remote(_ adapter: Int) -> RegisteredRemote? {
        if let known = state.withLock({ $0.hosts[adapter]?.remote }) { return known }
        let found = shell.read { daemon in
            daemon.adapters[adapter].map { ($0.path, $0.address) }
        }
        guard let (path, address) = found else { return nil }
        let remote = RegisteredRemote(on: connection, adapter: path)
        let number = shell.update { daemon in
            daemon.addPeripheral(
                remote, address: address, isAddressRandom: false, ownAdapter: adapter, rssi: -50
            ).number
        }
        state.withLock { $0.hosts[adapter] = Host(remote: remote, peripheral: number) }
        remote.start { [weak shell] effect in
            shell?.update { $0.remoteDid(effect, number) }
        }
        return remote
    }

    private func hear(_ owner: String) {
        guard state.withLock({ $0.subscriptions[owner] }) == nil else { return }
        let rule = DBusMatchRule(
            sender: owner, interface: DBusProperties.interfaceName,
            member: DBusProperties.propertiesChanged)
        let subscription = try? connection.subscribe(rule) { [weak shell, connection] signal in
            guard let shell else { return }
            FakeRegistrar(shell: shell, connection: connection).changed(signal, owner)
        }
        state.withLock { $0.subscriptions[owner] = subscription }
    }

    private func changed(_ signal: DBusSignal, _ owner: String) {
        guard signal.values.count == 3 else { return }
        switch signal.values[0].string {
        case GattCharacteristic1.interfaceName:
            guard let value = signal.values[1][GattCharacteristic1.value]?.bytes else { return }
            let remotes = state.withLock { $0.hosts.values.map(\.remote) }
            for remote in remotes { remote.changed(signal.path, owner, value) }
        case LEAdvertisement1.interfaceName:
            let key = Key(owner: owner, path: signal.path)
            let adapters = state.withLock { state in
                state.hosts.filter { $0.value.keys[.advertisement]?.contains(key) == true }.keys
            }
            for adapter in adapters { readAgain(key, adapter) }
        default: break
        }
    }

    /// Reads a changed advertisement; an unreadable one changes nothing.
    private func readAgain(_ key: Key, _ adapter: Int) {
        let remote = state.withLock { $0.hosts[adapter]?.remote }
        readAdvertisement(key, adapter) { content in
            if case .success(let advertisement) = content {
                remote?.set(advertisement.content, key)
            }
        }
    }

    func readAgain(adapter: Int) {
        for key in state.withLock({ $0.hosts[adapter]?.keys[.advertisement] ?? [] }) {
            readAgain(key, adapter)
        }
    }

    private func updateInstanceCounts(_ adapter: Int) {
        guard let host = state.withLock({ $0.hosts[adapter] }) else { return }
        let count = host.keys[.advertisement]?.count ?? 0
        let rest = Self.maximumAdvertisements - count
        try? connection.set(
            [
                LEAdvertisingManager1.activeInstances: .byte(UInt8(clamping: count)),
                LEAdvertisingManager1.supportedInstances: .byte(UInt8(clamping: rest)),
            ], of: LEAdvertisingManager1.interfaceName, at: host.remote.adapter)
    }

    // MARK: - The objects of programs

    /// Reads a program's objects; none after an error.
    private func readObjects(
        _ key: Key, completion: @escaping @Sendable ([DBusEntry]) -> Void
    ) {
        let call = DBusCall(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName, at: key.path,
            on: key.owner)
        connection.call(call, timeout: Self.timeout) { answer in
            completion((try? answer.get())?.values.first?.entries ?? [])
        }
    }

    /// Reads an advertisement. The daemon first requests the program's objects, and ignores an
    /// error (seen).
    private func readAdvertisement(
        _ key: Key, _ adapter: Int,
        completion: @escaping @Sendable (Result<RegisteredAdvertisement, DBusRefusal>) -> Void
    ) {
        readObjects(key) { _ in
            let (alias, isDiscoverable) = shell.read { daemon in
                let adapter = daemon.adapters[adapter]
                return (adapter?.alias ?? FakeAdapter.name, adapter?.isDiscoverable == true)
            }
            let values = DBusCall(
                DBusProperties.getAll, of: DBusProperties.interfaceName, at: key.path,
                on: key.owner, [.string(LEAdvertisement1.interfaceName)])
            connection.call(values, timeout: Self.timeout) { answer in
                completion(
                    Result { () throws(DBusRefusal) in
                        guard let values = (try? answer.get())?.values.first else {
                            throw DBusRefusal.unreadable
                        }
                        return try RegisteredAdvertisement(
                            values, alias: alias, onDiscoverableAdapter: isDiscoverable)
                    })
            }
        }
    }
}

/// The methods of `AgentManager1`: one agent for each client. The first agent is the default one,
/// and after it the oldest one (5.66 to 5.87, `src/agent.c`). The replies are those of 5.66.
extension FakeRegistrar {
    private func receive(_ request: DBusRequest, agent key: Key) {
        let refusal = state.withLock { state -> DBusRefusal? in
            let index = state.agents.firstIndex(of: key)
            switch request.member {
            case AgentManager1.registerAgent:
                let capability = request.arguments.last?.string ?? ""
                guard AgentCapability.all.contains(capability) else { return .invalid }
                guard !state.agents.contains(where: { $0.owner == key.owner }) else {
                    return .alreadyExists
                }
                state.agents.append(key)
            case AgentManager1.unregisterAgent:
                guard let index else { return .doesNotExist }
                state.agents.remove(at: index)
            case AgentManager1.requestDefaultAgent:
                guard let index else { return .doesNotExist }
                state.agents.insert(state.agents.remove(at: index), at: 0)
            default: return .notSupported
            }
            return nil
        }
        if let refusal { request.refuse(refusal) } else { request.reply() }
    }

    /// Requests permission to pair.
    ///
    /// An explicit `Pair` calls no agent, but requires one, of any client. When an attribute
    /// demands pairing, the default agent is called, even if the client has its own (all seen,
    /// 5.66).
    func authorize(
        _ device: DBusObjectPath, isMeant: Bool, completion: @escaping @Sendable (Bool) -> Void
    ) {
        let agent = state.withLock { $0.agents.first }
        if isMeant { return completion(agent != nil) }
        guard let agent else { return completion(false) }
        let call = DBusCall(
            Agent1.requestAuthorization, of: Agent1.interfaceName, at: agent.path,
            on: agent.owner, [.objectPath(device)])
        connection.call(call, timeout: Self.timeout) { answer in
            if case .success = answer { completion(true) } else { completion(false) }
        }
    }
}
#endif
