import HaloProtocol
import HaloTesting
import HaloTransport

/// A backend that a test controls.
final class ScriptedBluetooth: BLETransport {
    typealias Report = BLECompletion<Discovery>
    typealias Opened = BLECompletion<any LinkDriver>

    struct Attempt: Sendable {
        let identity: PeripheralIdentity
        let events: @Sendable (LinkEvent) -> Void
        let completion: Opened
    }

    struct State: Sendable {
        var attempts: [Attempt] = []
        var cancelledAttempts = 0
        var scans: [Int: Report] = [:]
        var scansBegun = 0
        var adapterObservers: [Int: @Sendable (AdapterState) -> Void] = [:]
        var observersBegun = 0
        var adapter = AdapterState.poweredOn
        var changeWhileRead: AdapterState?
        /// The devices that the system is connected to; `nil` if it does not answer.
        var connected: [Discovery]? = []
    }

    let stepped = SteppedTime()
    let state = Locked(State())
    let features: TransportFeatures
    /// `true` if attempts to connect succeed at once.
    let opensAtOnce: Bool
    let driver = ScriptedDriver()

    init(features: TransportFeatures = [.connectedRSSI], opensAtOnce: Bool = true) {
        self.features = features
        self.opensAtOnce = opensAtOnce
    }

    var time: any TransportTime { stepped }

    var adapterState: AdapterState {
        let (now, next) = state.withLock { state in
            defer { state.changeWhileRead = nil }
            return (state.adapter, state.changeWhileRead)
        }
        if let next { changeAdapter(to: next) }
        return now
    }

    func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable {
        let number = state.withLock { state in
            state.observersBegun += 1
            state.adapterObservers[state.observersBegun] = change
            return state.observersBegun
        }
        return BLECancellable { [self] in state.withLock { $0.adapterObservers[number] = nil } }
    }

    func changeAdapter(to adapter: AdapterState) {
        let observers = state.withLock { state in
            state.adapter = adapter
            return state.adapterObservers.values.map { $0 }
        }
        for observer in observers { observer(adapter) }
    }

    func startScan(_ filter: ScanFilter, _ report: @escaping Report) -> BLECancellable {
        let number = state.withLock { state in
            state.scansBegun += 1
            state.scans[state.scansBegun] = report
            return state.scansBegun
        }
        return BLECancellable { [self] in state.withLock { $0.scans[number] = nil } }
    }

    func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) {
        if let connected = state.withLock({ $0.connected }) { completion(.success(connected)) }
    }

    var scansUnderWay: Int { state.withLock { $0.scans.count } }

    func hear(_ discoveries: Discovery...) {
        for discovery in discoveries { report(.success(discovery)) }
    }

    func report(_ result: Result<Discovery, BLEError>) {
        for scan in state.withLock({ $0.scans.values.map { $0 } }) { scan(result) }
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping Opened
    ) -> BLECancellable {
        state.withLock {
            $0.attempts.append(
                Attempt(identity: identity, events: events, completion: completion))
        }
        if opensAtOnce { completion(.success(driver)) }
        return BLECancellable { [self] in
            state.withLock { $0.cancelledAttempts += 1 }
            completion(.failure(BLEError(.cancelled, .connect)))
        }
    }

    /// Completes the last attempt to connect.
    func answer(_ result: Result<any LinkDriver, BLEError>) {
        state.withLock { $0.attempts.last }?.completion(result)
    }

    /// Reports events of the last link.
    func happen(_ events: LinkEvent...) {
        guard let attempt = state.withLock({ $0.attempts.last }) else { return }
        for event in events { attempt.events(event) }
    }

    /// Connects, without a wait.
    func link() -> BLELink? {
        let link = Locked<BLELink?>(nil)
        submitConnect(to: PeripheralIdentity("ring"), timeout: .seconds(10)) { result in
            link.withLock { $0 = try? result.get() }
        }
        return link.withLock { $0 }
    }

    /// Runs code deterministically; time passes when nothing can run.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try runDeterministically(step: { stepped.step() }, idleStepLimit: 1000, body)
    }
}
