#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// `GattManager1`.
extension FakeRegistrar {
    func register(
        application key: RegistrationKey, _ request: DBusRequest, _ adapter: Int,
        _ connection: DBusConnection, in shell: FakeShell
    ) {
        let (isNew, age) = state.withLock { state in
            (state.applications[adapter, default: []].insert(key).inserted, state.age)
        }
        guard isNew else { return request.refuse(.alreadyExists) }
        guard let remote = remote(adapter, connection, in: shell) else {
            state.withLock { _ = $0.applications[adapter]?.remove(key) }
            return request.refuse(.gone(request))
        }
        // Changes are heard from before the objects are known: none is missed.
        hear(key.owner, connection, in: shell)
        let objects = DBusCall(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName, at: key.path,
            on: key.owner)
        connection.call(objects, timeout: Self.patience) { [weak self] answer in
            guard let self else { return }
            // It may have been taken back meanwhile.
            guard self.isKnown(key, adapter, age) else {
                return request.refuse(Self.failed(RegistrationText.noObject))
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

    private func isKnown(_ key: RegistrationKey, _ adapter: Int, _ age: UInt64) -> Bool {
        state.withLock { $0.age == age && $0.applications[adapter]?.contains(key) == true }
    }

    static func failed(_ text: String) -> DBusRefusal {
        DBusRefusal(BlueZErrorName.failed, text)
    }
}
#endif
