#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension HostSession {
    /// The daemon has told of its objects.
    mutating func looked(_ answer: Result<DBusReply, DBusError>) {
        guard daemon == .looking, end == nil else { return }
        daemon = .away
        switch answer {
        case .failure(let error):
            // A daemon that comes back later says so, or its adapter does.
            if !hasReturned { failed(BLEError(hosting: error)) }
        case .success(let reply):
            owner = reply.sender
            var mirror = BlueZMirror()
            if let objects = reply.values.first { _ = mirror.load(objects) }
            let adapters = Array(mirror.adapters.values)
            guard let adapter = choose(adapters) else {
                if !hasReturned {
                    let words = AdapterCandidate.absence(
                        of: wish.name, among: adapters.map(\.candidate))
                    failed(BLEError(.unsupported, .host, details: words))
                }
                return
            }
            if let refusal = adapter.hostingRefusal {
                if !hasReturned { failed(refusal) }
                return
            }
            found(adapter, mirror)
        }
    }

    /// The adapter that is meant. One that came back is known by its address: its path may be
    /// another one. If any will do, it is one that a device can be on.
    private func choose(_ adapters: [BlueZAdapter]) -> BlueZAdapter? {
        if let address { return adapters.first { $0.address == address } }
        if let path = wish.path, let known = adapters.first(where: { $0.path == path }) {
            return known
        }
        let usable = wish.name == nil ? adapters.filter { $0.hostingRefusal == nil } : []
        let candidates = (usable.isEmpty ? adapters : usable).map(\.candidate)
        let chosen = AdapterCandidate.choice(of: candidates, named: wish.name)
        return adapters.first { $0.path == chosen }
    }

    private mutating func found(_ adapter: BlueZAdapter, _ mirror: BlueZMirror) {
        daemon = .here(adapter: adapter.path)
        if address == nil { alias = adapter.ownAlias }
        address = adapter.address ?? address
        devices = [:]
        for (path, device) in mirror.devices where device.adapter == adapter.path {
            _ = remember(path, isConnected: device.isConnected)
        }
        isPowered = adapter.isOn
        guard !isPowered else { return go() }
        guard wish.powersOn else {
            // One that has come back may still be switched on.
            if !hasReturned { failed(isOff(adapter.path)) }
            return
        }
        call(
            .power, DBusProperties.set, of: DBusProperties.interfaceName, at: adapter.path,
            [
                .string(Adapter1.interfaceName), .string(Adapter1.powered),
                .variant(.boolean(true)),
            ])
    }

    func isOff(_ adapter: DBusObjectPath) -> BLEError {
        BLEError(.poweredOff, .host, details: "\(adapter) is off")
    }

    /// The adapter was to be switched on.
    mutating func powered(_ answer: Result<DBusReply, DBusError>) {
        switch answer {
        case .success:
            isPowered = true
            go()
        case .failure(let error):
            if !hasReturned { failed(BLEError(hosting: error)) }
        }
    }

    /// The adapter was switched on or off: what is to be registered waits meanwhile.
    mutating func power(_ isOn: Bool) {
        isPowered = isOn
        guard isOn else { return }
        attemptsLeft = Self.attempts
        retryAt = nil
        reconcile()
    }

    /// The adapter can be used: the device comes to life, or goes on.
    mutating func go() {
        if isAlive { reconcile() } else { perform(.start) }
    }

    /// The daemon, or the adapter, is not there any more.
    mutating func went() {
        guard end == nil, daemon != .away else { return }
        age &+= 1
        daemon = .away
        hasReturned = true
        attemptsLeft = Self.attempts
        retryAt = nil
        devices = [:]
        arrivals = []
        leave()
        takeBackAll()
        // Who still waits for the device to be there is told, and may try again: a daemon that is
        // gone may never come back.
        guard !isReady else { return }
        failed(BLEError(.backend, .host, details: "the daemon or the adapter has gone"))
    }

    /// Time has passed.
    mutating func tick() {
        guard end != .over else { return }
        if let retryAt, retryAt <= now {
            self.retryAt = nil
            reconcile()
        }
        for (token, waiting) in pending where waiting.due <= now {
            pending[token] = nil
            perform(.refuse(DeviceRefusal.refusal(.unlikely), of: waiting.request))
        }
        scheduleNext()
    }

    /// Makes sure that the next time is not missed.
    mutating func scheduleNext() {
        let next = (pending.values.map(\.due) + [retryAt].compactMap { $0 }).min()
        if let next { perform(.alarm(next)) }
    }
}
#endif
