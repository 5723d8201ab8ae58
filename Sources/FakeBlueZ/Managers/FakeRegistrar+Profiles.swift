#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What belongs to the older Bluetooth: profiles (`ProfileManager1`), and codecs and players of an
/// adapter (`Media1`). Registering succeeds, and nothing comes of it: no device here uses them.
/// Refusals are those of 5.66's source, which also checks the properties of codecs and players.
extension FakeRegistrar {
    /// What can be registered of these.
    struct Profile: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case profile(uuid: String)
            case endpoint(adapter: Int)
            case player(adapter: Int)
            case application(adapter: Int)

            /// The adapter that it belongs to, if it does to one.
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
