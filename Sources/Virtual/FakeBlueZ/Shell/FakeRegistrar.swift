#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The registrations of programs: applications, advertisements, agents.
///
/// The applications and advertisements of an adapter are one device for the other adapters. A
/// program's registrations end when it leaves the bus.
final class FakeRegistrar: Sendable {
    struct State {
        /// The devices of the adapters with a registration.
        var remotes: [Int: RegisteredRemote] = [:]
        /// The registrations, also pending ones.
        var applications: [Int: Set<RegistrationKey>] = [:]
        var advertisements: [Int: Set<RegistrationKey>] = [:]
        /// The subscriptions to programs' signals.
        var subscriptions: [String: DBusSubscription] = [:]
        /// The agents, the default one first.
        var agents: [RegistrationKey] = []
    }

    let state = Locked(State())

    /// The controller's number of advertisements, as the emulator's (seen).
    static let maximumAdvertisements = 5
    /// The timeout of calls to programs.
    static let timeout: Duration = .seconds(20)

    /// Handles a request to `GattManager1` or `LEAdvertisingManager1` of an adapter, or to
    /// `AgentManager1`, which has no adapter.
    func receive(_ request: DBusRequest, adapter: Int?, in shell: FakeShell) {
        guard let owner = request.sender, let path = request.arguments.first?.objectPath,
            let connection = shell.connection
        else { return request.refuse(.invalid) }
        let key = RegistrationKey(owner: owner, path: path)
        guard let adapter else { return receive(request, agent: key) }
        switch request.member {
        case GattManager1.registerApplication:
            register(application: key, request, adapter, connection, in: shell)
        case GattManager1.unregisterApplication:
            unregister(application: key, request, adapter)
        case LEAdvertisingManager1.registerAdvertisement:
            register(advertisement: key, request, adapter, connection, in: shell)
        case LEAdvertisingManager1.unregisterAdvertisement:
            unregister(advertisement: key, request, adapter, connection, in: shell)
        default: request.refuse(.notSupported)
        }
    }

    /// Removes the registrations of a client that has left the bus.
    func clientDisconnected(_ name: String, in shell: FakeShell) {
        let left = state.withLock { state in
            var applications: [(RegisteredRemote, RegistrationKey)] = []
            var advertisements: [(Int, RegisteredRemote, RegistrationKey)] = []
            for (adapter, remote) in state.remotes {
                for key in state.applications[adapter] ?? [] where key.owner == name {
                    applications.append((remote, key))
                    state.applications[adapter]?.remove(key)
                }
                for key in state.advertisements[adapter] ?? [] where key.owner == name {
                    advertisements.append((adapter, remote, key))
                    state.advertisements[adapter]?.remove(key)
                }
            }
            state.agents.removeAll { $0.owner == name }
            return (applications, advertisements, state.subscriptions.removeValue(forKey: name))
        }
        left.2?.cancel()
        for (remote, key) in left.0 { remote.removeApplication(key) }
        for (adapter, remote, key) in left.1 {
            remote.set(nil, key)
            if let connection = shell.connection {
                updateInstanceCounts(adapter, remote, connection)
            }
        }
    }

    /// Removes an adapter's registrations, and releases its advertisements.
    func adapterRemoved(_ number: Int, in shell: FakeShell) {
        let (remote, advertisements) = state.withLock { state in
            state.applications[number] = nil
            let advertisements = state.advertisements.removeValue(forKey: number) ?? []
            return (state.remotes.removeValue(forKey: number), advertisements)
        }
        for key in advertisements {
            shell.connection?.call(
                DBusCall(
                    LEAdvertisement1.release, of: LEAdvertisement1.interfaceName, at: key.path,
                    on: key.owner)
            ) { _ in }
        }
        remote?.remove()
    }

    /// Removes all registrations with the daemon.
    func reset() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        for remote in old.remotes.values { remote.remove() }
    }

    /// Returns the hosted device of an adapter, which is created on first use.
    func remote(
        _ adapter: Int, _ connection: DBusConnection, in shell: FakeShell
    ) -> RegisteredRemote? {
        if let known = state.withLock({ $0.remotes[adapter] }) { return known }
        let found = shell.read { daemon in
            daemon.adapters[adapter].map { ($0.path, $0.address) }
        }
        guard let (path, address) = found else { return nil }
        let remote = RegisteredRemote(on: connection, adapter: path)
        state.withLock { $0.remotes[adapter] = remote }
        let number = shell.update { daemon in
            daemon.addPeripheral(
                remote, address: address, isAddressRandom: false, ownAdapter: adapter, rssi: -50
            ).number
        }
        remote.start { [weak shell] event in
            shell?.update { $0.remoteDid(event, number) }
        }
        return remote
    }

    /// Subscribes to the changes of a program's objects.
    func hear(_ owner: String, _ connection: DBusConnection, in shell: FakeShell) {
        guard state.withLock({ $0.subscriptions[owner] }) == nil else { return }
        let rule = DBusMatchRule(
            sender: owner, interface: DBusProperties.interfaceName,
            member: DBusProperties.propertiesChanged)
        let subscription = try? connection.subscribe(rule) { [weak self, weak shell] signal in
            guard let self, let shell else { return }
            self.changed(signal, owner, connection, in: shell)
        }
        state.withLock { $0.subscriptions[owner] = subscription }
    }

    private func changed(
        _ signal: DBusSignal, _ owner: String, _ connection: DBusConnection, in shell: FakeShell
    ) {
        guard signal.values.count == 3 else { return }
        switch signal.values[0].string {
        case GattCharacteristic1.interfaceName:
            guard let value = signal.values[1][GattCharacteristic1.value]?.bytes else { return }
            let remotes = state.withLock { Array($0.remotes.values) }
            for remote in remotes { remote.changed(signal.path, owner, value) }
        case LEAdvertisement1.interfaceName:
            let key = RegistrationKey(owner: owner, path: signal.path)
            let adapters = state.withLock { state in
                state.advertisements.filter { $0.value.contains(key) }.map(\.key)
            }
            for adapter in adapters { readAgain(key, adapter, connection, in: shell) }
        default: break
        }
    }
}

/// The methods of `GattManager1`.
extension FakeRegistrar {
    func register(
        application key: RegistrationKey, _ request: DBusRequest, _ adapter: Int,
        _ connection: DBusConnection, in shell: FakeShell
    ) {
        let isNew = state.withLock { $0.applications[adapter, default: []].insert(key).inserted }
        guard isNew else { return request.refuse(.alreadyExists) }
        guard let remote = remote(adapter, connection, in: shell) else {
            state.withLock { _ = $0.applications[adapter]?.remove(key) }
            return request.refuse(.gone(request))
        }
        // The subscription comes before the objects are read, so that no change is missed.
        hear(key.owner, connection, in: shell)
        let objects = DBusCall(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName, at: key.path,
            on: key.owner)
        connection.call(objects, timeout: Self.timeout) { [weak self] answer in
            guard let self else { return }
            // The application may have been unregistered meanwhile.
            guard self.isKnown(key, adapter) else {
                return request.refuse(.notRegistered(RegistrationText.noObject))
            }
            do throws(DBusRefusal) {
                let entries = (try? answer.get())?.values.first?.entries ?? []
                try remote.add(key, entries)
                request.reply()
            } catch {
                self.state.withLock { _ = $0.applications[adapter]?.remove(key) }
                request.refuse(error)
            }
        }
    }

    func unregister(application key: RegistrationKey, _ request: DBusRequest, _ adapter: Int) {
        let (wasKnown, remote) = state.withLock { state in
            (state.applications[adapter]?.remove(key) != nil, state.remotes[adapter])
        }
        guard wasKnown else { return request.refuse(.doesNotExist) }
        remote?.removeApplication(key)
        request.reply()
    }

    private func isKnown(_ key: RegistrationKey, _ adapter: Int) -> Bool {
        state.withLock { $0.applications[adapter]?.contains(key) == true }
    }
}
#endif
