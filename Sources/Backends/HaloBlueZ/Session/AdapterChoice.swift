#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct AdapterChoice: Sendable {
    /// The callback with an adapter that is on, or with the reason why there is none.
    typealias Continuation = @Sendable (inout BlueZSession, Result<DBusObjectPath, Outage>) -> Void

    enum Switching: Hashable, Sendable {
        case asked
        /// The daemon has replied; the property changes a moment later.
        case done
        case refused(Outage)
    }

    static let maximumWaiting = 1024
    static let timeout: Duration = .seconds(30)
    /// The time for `Powered` to change after the daemon's reply.
    static let powerOnTimeout: Duration = .seconds(3)

    /// The adapter in use. In this order: the one that the options name; the present one while it
    /// is on or no other is; the first one that is on; the first one.
    var chosen: DBusObjectPath?
    var waiting: [Continuation] = []
    /// The timer of the next review without an event.
    var timer: BlueZSession.TimerNumber?
    var deadline: BlueZSession.TimerNumber?
    var switching: Switching?
    var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    var lastState = AdapterState.unknown
}

extension Outage: Error {}

/// The choice of the adapter, and its state.
extension BlueZSession {
    var adapterState: AdapterState {
        switch daemon.phase {
        case .unasked, .loading: return .unknown
        case .gone(let outage): return outage.kind == .unauthorized ? .unauthorized : .unknown
        case .loaded:
            guard let chosen = adapters.chosen else { return .unsupported }
            return isPowered(chosen) ? .poweredOn : .poweredOff
        }
    }

    /// Calls back once, now or later: when the adapter is on, or when there is a reason why it is
    /// not. If the options allow it, the adapter is powered on.
    mutating func whenUsable(_ then: @escaping AdapterChoice.Continuation) {
        guard adapters.waiting.count < AdapterChoice.maximumWaiting else {
            return then(&self, .failure(Outage(.overloaded, "too many wait for the adapter")))
        }
        adapters.waiting.append(then)
        if adapters.deadline == nil {
            adapters.deadline = after(AdapterChoice.timeout) { session in
                session.adapters.deadline = nil
                session.release(.failure(Outage(.timedOut, "no adapter was ready in time")))
            }
        }
        load()
        reviewUsability()
    }

    /// Observes the state until ``unobserveAdapter(_:)`` with this number.
    mutating func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> UInt64 {
        let number = nextNumber()
        adapters.observers[number] = change
        load()
        return number
    }

    mutating func unobserveAdapter(_ number: UInt64) {
        guard let observer = adapters.observers.removeValue(forKey: number) else { return }
        discard(observer)
    }

    mutating func updateAdapters(_ change: MirrorChange) {
        switch change {
        case .loaded, .lost, .adapter, .adapterRemoved: break
        default: return
        }
        adapters.chosen =
            BlueZAdapter.choice(
                of: mirror.adapters.values, named: options.adapter, current: adapters.chosen)?.path
        notifyObservers()
        if case .loaded = change { return }
        reviewUsability()
    }

    mutating func notifyObservers() {
        let state = adapterState
        guard state != adapters.lastState else { return }
        adapters.lastState = state
        for (_, observer) in adapters.observers.sortedByKey {
            callBack { observer(state) }
        }
    }

    func isPowered(_ path: DBusObjectPath) -> Bool { mirror.adapters[path]?.isOn == true }

    // MARK: Callbacks that wait for an adapter that is on

    /// Calls back if it is known by now that an adapter is usable, or why none is.
    mutating func reviewUsability() {
        guard !adapters.waiting.isEmpty else { return }
        switch daemon.phase {
        case .unasked, .loading: return
        case .gone(let outage): return release(.failure(outage))
        case .loaded: break
        }
        if let chosen = adapters.chosen, isPowered(chosen) { return release(.success(chosen)) }
        // A daemon first owns its name, and then adds its adapters and powers them on (AutoEnable).
        if now < daemon.settlesAt { return waitForSettling() }
        guard let chosen = adapters.chosen else {
            let words = BlueZAdapter.absence(of: options.adapter, among: mirror.adapters.values)
            return release(.failure(Outage(.noBluetooth, words)))
        }
        // A blocked adapter cannot be powered on. By switch only, never seen: the property is
        // experimental in 5.66.
        if mirror.adapters[chosen]?.isBlocked == true { return release(.failure(.blocked(""))) }
        guard options.powersOn else {
            let name = mirror.adapters[chosen]?.address ?? chosen.text
            let words = "the adapter \(name) is switched off"
            return release(.failure(Outage(.bluetoothOff, words)))
        }
        switch adapters.switching {
        case nil: switchOn(chosen)
        case .asked, .done: break
        case .refused(let outage): release(.failure(outage))
        }
    }

    fileprivate mutating func release(_ result: Result<DBusObjectPath, Outage>) {
        for timer in [adapters.timer, adapters.deadline] { cancel(timer) }
        adapters.timer = nil
        adapters.deadline = nil
        adapters.switching = nil
        let waiting = adapters.waiting
        adapters.waiting = []
        for then in waiting {
            then(&self, result)
            discard(then)
        }
    }

    private mutating func waitForSettling() {
        guard adapters.timer == nil else { return }
        adapters.timer = after(daemon.settlesAt.duration(since: now)) { session in
            session.adapters.timer = nil
            session.reviewUsability()
        }
    }

    private mutating func switchOn(_ path: DBusObjectPath) {
        adapters.switching = .asked
        call(
            DBusProperties.set, of: DBusProperties.interfaceName, at: path,
            [.string(Adapter1.interfaceName), .string(Adapter1.powered), .variant(.boolean(true))]
        ) { session, answer in session.switchedOn(answer) }
    }

    private mutating func switchedOn(_ answer: Answer) {
        guard adapters.switching == .asked else { return }
        switch answer {
        case .success:
            adapters.switching = .done
            // The reply comes before the change of the property (seen in the daemon's source).
            let timer = after(AdapterChoice.powerOnTimeout) { session in
                session.adapters.timer = nil
                let words = "the adapter was switched on, but is not on"
                session.adapters.switching = .refused(Outage(.bluetoothOff, words))
                session.reviewUsability()
            }
            cancel(adapters.timer)
            adapters.timer = timer
        case .failure(let error): adapters.switching = .refused(.notSwitchedOn(error))
        }
        reviewUsability()
    }
}

extension Outage {
    fileprivate static func blocked(_ words: String) -> Outage {
        Outage(.bluetoothOff, "the adapter is blocked by a switch (rfkill)\(words)")
    }

    /// Returns the reason why an adapter could not be powered on. The name `Blocked` is from the
    /// daemon's source, never seen: for an adapter that the kernel blocks, 5.66 replies with
    /// `Failed`.
    fileprivate static func notSwitchedOn(_ error: DBusError) -> Outage {
        guard error.kind == .remote else { return Outage(error) }
        switch error.name {
        case BlueZErrorName.blocked: return .blocked(": \(error.words)")
        case BlueZErrorName.failed where error.details == DBusRefusal.notSwitchedOn.details:
            let text = "the adapter cannot be switched on; a switch may block it (rfkill): "
            return Outage(.bluetoothOff, text + error.words)
        case DBusErrorName.accessDenied: return Outage(error)
        default: return Outage(.bluetoothOff, "the adapter cannot be switched on: \(error.words)")
        }
    }
}
#endif
