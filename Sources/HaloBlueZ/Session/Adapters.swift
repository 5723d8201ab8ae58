#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Which adapter is used, and who wants to know of it.
struct AdapterChoice: Sendable {
    /// Goes on with an adapter that is on, or with the reason why there is none.
    typealias Continuation = @Sendable (inout BlueZSession, Result<DBusObjectPath, Outage>) -> Void

    enum Switching: Hashable, Sendable {
        case asked
        /// The daemon says that it is done; the adapter says so a moment later.
        case done
        case refused(Outage)
    }

    /// How many may wait for an adapter at most.
    static let maximumWaiting = 1024
    /// How long they wait at most, whatever daemon and adapters do meanwhile.
    static let patience: Duration = .seconds(30)
    /// How long an adapter may take to be on after the daemon has said that it is.
    static let switchingTime: Duration = .seconds(3)

    var chosen: DBusObjectPath?
    var waiting: [Continuation] = []
    /// When it is looked again, though nothing was said.
    var timer: BlueZSession.TimerNumber?
    /// When they have waited long enough.
    var deadline: BlueZSession.TimerNumber?
    /// How far switching on is, if it was tried for those who wait.
    var switching: Switching?
    /// Who hears of each state.
    var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    /// The state that they heard of last.
    var told = AdapterState.unknown
}

enum Usability: Hashable, Sendable {
    case usable(DBusObjectPath)
    case later
    /// It is off, and may be switched on.
    case off(DBusObjectPath)
    case not(Outage)
}

extension Outage: Error {}

/// Adapters come, go, and are switched on and off.
extension BlueZSession {
    /// The adapter that is used: the one that the options name; or else the one used so far while
    /// it is on or no other is; or else the first one that is on; or else the first one.
    var chosenAdapter: DBusObjectPath? { adapters.chosen }

    /// Whether Bluetooth can be used. While there is no daemon, nobody knows.
    var adapterState: AdapterState {
        switch daemon.phase {
        case .unasked, .loading: return .unknown
        case .gone(let outage): return outage.kind == .unauthorized ? .unauthorized : .unknown
        case .loaded:
            guard let chosen = adapters.chosen else { return .unsupported }
            return isPowered(chosen) ? .poweredOn : .poweredOff
        }
    }

    /// Goes on when the daemon is known and the adapter is on, or when it is known why not: at
    /// once, or later, but in any case. If the options say so, it is switched on.
    mutating func whenUsable(_ then: @escaping AdapterChoice.Continuation) {
        guard adapters.waiting.count < AdapterChoice.maximumWaiting else {
            return then(&self, .failure(Outage(.overloaded, "too many wait for the adapter")))
        }
        adapters.waiting.append(then)
        if adapters.deadline == nil {
            adapters.deadline = after(AdapterChoice.patience) { session in
                session.adapters.deadline = nil
                session.release(.failure(Outage(.timedOut, "no adapter was ready in time")))
            }
        }
        load()
        reviewUsability()
    }

    /// Tells of each state until ``unobserveAdapter(_:)`` with this number.
    mutating func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> UInt64 {
        let number = nextNumber()
        adapters.observers[number] = change
        load()
        return number
    }

    mutating func unobserveAdapter(_ number: UInt64) {
        guard let observer = adapters.observers.removeValue(forKey: number) else { return }
        letGo(observer)
    }

    mutating func adaptersNoticed(_ change: MirrorChange) {
        switch change {
        case .loaded, .lost, .adapter, .adapterRemoved: break
        default: return
        }
        adapters.chosen = bestAdapter
        tellState()
        if case .loaded = change { return }
        reviewUsability()
    }

    /// Tells the state to those who want to know, if it is another one.
    mutating func tellState() {
        let state = adapterState
        guard state != adapters.told else { return }
        adapters.told = state
        for (_, observer) in adapters.observers.sorted(by: { $0.key < $1.key }) {
            perform { observer(state) }
        }
    }

    /// Whether an adapter is there, and on.
    func isPowered(_ path: DBusObjectPath) -> Bool { mirror.adapters[path]?.isOn == true }

    private var bestAdapter: DBusObjectPath? {
        AdapterCandidate.choice(of: candidates, named: options.adapter, current: adapters.chosen)
    }

    fileprivate var candidates: [AdapterCandidate] { mirror.adapters.values.map(\.candidate) }
}

/// Those who wait for an adapter that is on.
extension BlueZSession {
    private var usability: Usability {
        switch daemon.phase {
        case .unasked, .loading: return .later
        case .gone(let outage): return .not(outage)
        case .loaded: break
        }
        if let chosen = adapters.chosen, isPowered(chosen) { return .usable(chosen) }
        // A daemon takes its name first and its adapters in afterwards, and switches them on then
        // (AutoEnable).
        if now < daemon.settlesAt { return .later }
        guard let chosen = adapters.chosen else {
            let words = AdapterCandidate.absence(of: options.adapter, among: candidates)
            return .not(Outage(.unsupported, words))
        }
        // What a switch of the computer holds down, asking does not help. By switch only, never
        // seen: the property is experimental in 5.66.
        if mirror.adapters[chosen]?.isBlocked == true { return .not(.blocked("")) }
        guard options.powersOn else {
            return .not(Outage(.poweredOff, "the adapter \(nameOf(chosen)) is switched off"))
        }
        switch adapters.switching {
        case nil: return .off(chosen)
        case .asked, .done: return .later
        case .refused(let outage): return .not(outage)
        }
    }

    private func nameOf(_ adapter: DBusObjectPath) -> String {
        mirror.adapters[adapter]?.address ?? adapter.text
    }

    /// Goes on with those who wait, if it is known by now whether there is an adapter for them.
    mutating func reviewUsability() {
        guard !adapters.waiting.isEmpty else { return }
        switch usability {
        case .later: waitForSettling()
        case .off(let path): switchOn(path)
        case .usable(let path): release(.success(path))
        case .not(let outage): release(.failure(outage))
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
            letGo(then)
        }
    }

    private mutating func waitForSettling() {
        guard adapters.timer == nil, daemon.phase == .loaded, now < daemon.settlesAt else { return }
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
            // The answer comes before the adapter's own word (seen in the daemon's source).
            let timer = after(AdapterChoice.switchingTime) { session in
                session.adapters.timer = nil
                let words = "the adapter was switched on, but is not on"
                session.adapters.switching = .refused(Outage(.poweredOff, words))
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
    /// A switch of the computer keeps the adapter off.
    fileprivate static func blocked(_ words: String) -> Outage {
        Outage(.poweredOff, "the adapter is blocked by a switch (rfkill)\(words)")
    }

    /// Why an adapter could not be switched on. The name `Blocked` is from the daemon's source,
    /// never seen: of an adapter that the kernel keeps off, 5.66 says `Failed`, and that it failed.
    fileprivate static func notSwitchedOn(_ error: DBusError) -> Outage {
        guard error.kind == .remote else { return Outage(error) }
        switch error.name {
        case BlueZErrorName.blocked: return .blocked(": \(error.words)")
        case BlueZErrorName.failed where error.details == BlueZErrorText.notSwitchedOn:
            let text = "the adapter cannot be switched on; a switch may block it (rfkill): "
            return Outage(.poweredOff, text + error.words)
        case BusErrorName.accessDenied: return Outage(error)
        default: return Outage(.poweredOff, "the adapter cannot be switched on: \(error.words)")
        }
    }
}
#endif
