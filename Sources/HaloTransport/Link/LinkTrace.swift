public import HaloProtocol

/// Something that went over a link, for a log.
public struct LinkTrace: Hashable, Sendable {
    /// The kinds of traces; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// Something was asked of the backend.
        public static let asked = Kind(code: 0)
        /// The backend has answered.
        public static let answered = Kind(code: 1)
        /// Something has happened by itself: ``LinkTrace/event`` says what.
        public static let happened = Kind(code: 2)
    }

    /// When it was.
    public let moment: Moment
    /// The device at the other end.
    public let identity: PeripheralIdentity
    /// What it was.
    public let kind: Kind
    /// The operation that was asked for; `nil` for what happened by itself.
    public var operation: BLEError.Operation?
    /// The number of the operation on its link, by which its answer is found.
    public var number: UInt64?
    /// The characteristic or the descriptor that it is about.
    public var attribute: AttributeID?
    /// The value that was written, read or sent.
    public var bytes: [UInt8]?
    /// The way in which a value is written.
    public var mode: WriteMode?
    /// The services, where they were asked for.
    public var services: [GATTService]?
    /// The most bytes that one write without a response can carry: told when the link stands, and
    /// when that changes.
    public var maximumWriteLength: Int?
    /// The event that has happened by itself.
    public var event: LinkEvent?
    /// The error, if the answer is no.
    public var error: BLEError?

    init(_ kind: Kind, _ identity: PeripheralIdentity, at moment: Moment) {
        self.kind = kind
        self.identity = identity
        self.moment = moment
    }
}

extension LinkTrace.Kind: CustomStringConvertible {
    /// What it was.
    public var description: String {
        switch self {
        case .asked: "asked"
        case .answered: "answered"
        default: "happened"
        }
    }
}

/// A function that is told of everything that goes over a link; called at once, from any thread.
public typealias LinkObserver = @Sendable (LinkTrace) -> Void

/// A transport that tells an observer of everything that goes over its links, and is otherwise
/// the one that it is made of.
public struct TracedTransport<Base: BLETransport>: BLETransport {
    private let base: Base
    private let observer: LinkObserver

    /// A transport with an observer.
    public init(_ base: Base, _ observer: @escaping LinkObserver) {
        self.base = base
        self.observer = observer
    }

    /// The time of the transport that it is made of.
    public var time: any TransportTime { base.time }

    /// What the transport that it is made of can do.
    public var features: TransportFeatures { base.features }

    /// Whether Bluetooth can be used.
    public var adapterState: AdapterState { base.adapterState }

    /// Tells of each change of ``adapterState``.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> Registration { base.observeAdapter(change) }

    /// Listens for advertisements; scans are not traced.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> Registration { base.startScan(filter, report) }

    /// Connects, and has the link tell the observer.
    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Registration {
        let tracer = LinkTracer(identity, on: base.time, observer)
        let answer = tracer.asked(
            .connect,
            describing: { driver, trace in
                trace.maximumWriteLength = driver.maximumWriteLength(.withoutResponse)
            }, then: completion)
        return base.openLink(to: identity) { event in
            tracer.happened(event)
            events(event)
        } completion: { result in
            if case .success(let driver) = result { tracer.opened(driver) }
            answer(result.map { TracedDriver($0, tracer) })
        }
    }
}

/// Tells an observer what goes over one link.
private final class LinkTracer: Sendable {
    private struct State {
        var lastNumber: UInt64 = 0
        weak var driver: (any LinkDriver)?
    }

    private let identity: PeripheralIdentity
    private let time: any TransportTime
    private let observer: LinkObserver
    private let state = Locked(State())

    init(
        _ identity: PeripheralIdentity, on time: any TransportTime,
        _ observer: @escaping LinkObserver
    ) {
        self.identity = identity
        self.time = time
        self.observer = observer
    }

    func opened(_ driver: any LinkDriver) { state.withLock { $0.driver = driver } }

    private func tell(_ kind: LinkTrace.Kind, _ describe: (inout LinkTrace) -> Void) {
        var trace = LinkTrace(kind, identity, at: time.now())
        describe(&trace)
        observer(trace)
    }

    func happened(_ event: LinkEvent) {
        tell(.happened) { trace in
            trace.event = event
            switch event {
            case .value(let attribute, let value):
                trace.attribute = attribute
                trace.bytes = value
            case .maximumLengthChanged:
                let driver = state.withLock { $0.driver }
                trace.maximumWriteLength = driver?.maximumWriteLength(.withoutResponse)
            case .servicesChanged, .disconnected: break
            }
        }
    }

    func closes() { tell(.asked) { $0.operation = .disconnect } }

    /// Tells that something is asked for, and gives a completion that tells the answer first.
    func asked<Value>(
        _ operation: BLEError.Operation, _ attribute: AttributeID? = nil, _ bytes: [UInt8]? = nil,
        _ mode: WriteMode? = nil,
        describing describe: @escaping @Sendable (Value, inout LinkTrace) -> Void = { _, _ in },
        then completion: @escaping BLECompletion<Value>
    ) -> BLECompletion<Value> {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            return state.lastNumber
        }
        let name: @Sendable (inout LinkTrace) -> Void = { trace in
            trace.operation = operation
            trace.number = number
            trace.attribute = attribute
            trace.mode = mode
        }
        tell(.asked) { trace in
            name(&trace)
            trace.bytes = bytes
        }
        return { [self] result in
            tell(.answered) { trace in
                name(&trace)
                switch result {
                case .success(let value): describe(value, &trace)
                case .failure(let error): trace.error = error
                }
            }
            completion(result)
        }
    }
}

private final class TracedDriver: LinkDriver {
    private let base: any LinkDriver
    private let tracer: LinkTracer

    init(_ base: any LinkDriver, _ tracer: LinkTracer) {
        self.base = base
        self.tracer = tracer
    }

    var identity: PeripheralIdentity { base.identity }

    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        base.discoverServices(
            tracer.asked(.discover, describing: { $1.services = $0 }, then: completion))
    }

    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        let answer = tracer.asked(
            .read, attribute, describing: { $1.bytes = $0 }, then: completion)
        base.read(attribute, answer)
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {
        let answer = tracer.asked(.write, attribute, value, mode, then: completion)
        base.write(value, to: attribute, mode, answer)
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        let operation: BLEError.Operation = isOn ? .subscribe : .unsubscribe
        base.setNotify(isOn, for: attribute, tracer.asked(operation, attribute, then: completion))
    }

    func maximumWriteLength(_ mode: WriteMode) -> Int { base.maximumWriteLength(mode) }

    func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        base.readRSSI(tracer.asked(.readRSSI, then: completion))
    }

    func pair(_ completion: @escaping BLECompletion<Void>) {
        base.pair(tracer.asked(.pair, then: completion))
    }

    func disconnect() {
        tracer.closes()
        base.disconnect()
    }
}
