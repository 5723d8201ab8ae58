#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The methods of `LEAdvertisingManager1`.
extension FakeRegistrar {
    func register(
        advertisement key: RegistrationKey, _ request: DBusRequest, _ adapter: Int,
        _ connection: DBusConnection, in shell: FakeShell
    ) {
        let refusal = state.withLock { state -> DBusRefusal? in
            let present = state.advertisements[adapter] ?? []
            if present.contains(key) { return .alreadyExists }
            guard present.count < Self.maximumAdvertisements else {
                return DBusRefusal(BlueZErrorName.notPermitted, RegistrationText.tooMany)
            }
            state.advertisements[adapter, default: []].insert(key)
            return nil
        }
        if let refusal { return request.refuse(refusal) }
        guard let remote = remote(adapter, connection, in: shell) else {
            state.withLock { _ = $0.advertisements[adapter]?.remove(key) }
            return request.refuse(.gone(request))
        }
        hear(key.owner, connection, in: shell)
        read(key, adapter, connection, in: shell) { [weak self] content in
            guard let self else { return }
            guard self.isAdvertised(key, adapter) else {
                // The real daemon's error for an advertisement that is removed before it is
                // registered.
                return request.refuse(.notRegistered(RegistrationText.incomplete))
            }
            let isPowered = shell.read { $0.adapters[adapter]?.isPowered == true }
            switch content {
            case .success where !isPowered:
                self.state.withLock { _ = $0.advertisements[adapter]?.remove(key) }
                request.refuse(RegisteredAdvertisement.notTaken)
            case .success(let advertisement):
                remote.set(advertisement.content, key)
                self.updateInstanceCounts(adapter, remote, connection)
                request.reply()
            case .failure(let refusal):
                self.state.withLock { _ = $0.advertisements[adapter]?.remove(key) }
                request.refuse(refusal)
            }
        }
    }

    func unregister(
        advertisement key: RegistrationKey, _ request: DBusRequest, _ adapter: Int,
        _ connection: DBusConnection, in shell: FakeShell
    ) {
        let (wasKnown, remote) = state.withLock { state in
            (state.advertisements[adapter]?.remove(key) != nil, state.remotes[adapter])
        }
        guard wasKnown else { return request.refuse(.doesNotExist) }
        remote?.set(nil, key)
        if let remote { updateInstanceCounts(adapter, remote, connection) }
        request.reply()
    }

    /// Reads a changed advertisement; an unreadable one changes nothing.
    func readAgain(
        _ key: RegistrationKey, _ adapter: Int, _ connection: DBusConnection, in shell: FakeShell
    ) {
        let remote = state.withLock { $0.remotes[adapter] }
        read(key, adapter, connection, in: shell) { content in
            if case .success(let advertisement) = content {
                remote?.set(advertisement.content, key)
            }
        }
    }

    /// Reads all advertisements of an adapter whose properties have changed.
    func readAgain(adapter: Int, in shell: FakeShell) {
        guard let connection = shell.connection else { return }
        for key in state.withLock({ $0.advertisements[adapter] ?? [] }) {
            readAgain(key, adapter, connection, in: shell)
        }
    }

    /// Updates the properties with the numbers of present and further advertisements.
    func updateInstanceCounts(
        _ adapter: Int, _ remote: RegisteredRemote, _ connection: DBusConnection
    ) {
        let count = state.withLock { $0.advertisements[adapter, default: []].count }
        let rest = Self.maximumAdvertisements - count
        try? connection.set(
            [
                LEAdvertisingManager1.activeInstances: .byte(UInt8(clamping: count)),
                LEAdvertisingManager1.supportedInstances: .byte(UInt8(clamping: rest)),
            ], of: LEAdvertisingManager1.interfaceName, at: remote.adapter)
    }

    private func read(
        _ key: RegistrationKey, _ adapter: Int, _ connection: DBusConnection,
        in shell: FakeShell,
        completion: @escaping @Sendable (Result<RegisteredAdvertisement, DBusRefusal>) -> Void
    ) {
        // The daemon first requests the program's objects, and ignores an error (seen).
        let objects = DBusCall(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName, at: key.path,
            on: key.owner)
        connection.call(objects, timeout: Self.timeout) { [weak self, weak shell] _ in
            guard let self, let shell else { return }
            self.readValues(key, adapter, connection, in: shell, completion: completion)
        }
    }

    private func readValues(
        _ key: RegistrationKey, _ adapter: Int, _ connection: DBusConnection,
        in shell: FakeShell,
        completion: @escaping @Sendable (Result<RegisteredAdvertisement, DBusRefusal>) -> Void
    ) {
        let (alias, isDiscoverable) = shell.read { daemon in
            let adapter = daemon.adapters[adapter]
            return (adapter?.alias ?? FakeAdapter.name, adapter?.isDiscoverable == true)
        }
        let values = DBusCall(
            DBusProperties.getAll, of: DBusProperties.interfaceName, at: key.path, on: key.owner,
            [.string(LEAdvertisement1.interfaceName)])
        connection.call(values, timeout: Self.timeout) { answer in
            do throws(DBusRefusal) {
                guard let values = (try? answer.get())?.values.first else {
                    throw RegisteredAdvertisement.unreadable
                }
                completion(
                    .success(
                        try RegisteredAdvertisement(
                            values, alias: alias, onDiscoverableAdapter: isDiscoverable)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func isAdvertised(_ key: RegistrationKey, _ adapter: Int) -> Bool {
        state.withLock { $0.advertisements[adapter]?.contains(key) == true }
    }
}
#endif
