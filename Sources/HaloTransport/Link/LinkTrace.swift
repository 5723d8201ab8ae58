public import HaloProtocol

/// Something that went over a link, for a log.
public struct LinkTrace: Hashable, Sendable {
    /// What it was; a list that can grow.
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
    /// Over which link.
    public let identity: PeripheralIdentity
    /// What it was.
    public let kind: Kind
    /// What was asked for; nothing for what happened by itself.
    public var operation: BLEError.Operation?
    /// Which question it is or answers: each has its own number on its link.
    public var number: UInt64?
    /// Which characteristic or descriptor it is about.
    public var attribute: AttributeID?
    /// The value that was written, read or sent.
    public var bytes: [UInt8]?
    /// How a value is written.
    public var mode: WriteMode?
    /// What the device consists of, where that was asked.
    public var services: [GATTService]?
    /// How many bytes one write without a response can carry: said when the link stands, and
    /// when that changes.
    public var maximumWriteLength: Int?
    /// What has happened by itself.
    public var event: LinkEvent?
    /// Why the answer is no.
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

/// Who is told of everything that goes over a link; called at once, from any thread.
public typealias LinkObserver = @Sendable (LinkTrace) -> Void

/// A transport that tells an observer of everything that goes over its links, and is otherwise
/// the one that it is made of.
public struct TracedTransport<Base: BLETransport>: BLETransport {
    private let base: Base
    private let observer: LinkObserver

    /// A transport with somebody who looks on.
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
    ) -> Registration {
        base.observeAdapter(change)
    }

    /// Listens for advertisements; scans are not traced.
    public func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration {
        base.startScan(filter, report)
    }

    /// Connects, and has the link tell the observer.
    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration {
        let tracer = LinkTracer(identity, on: base.time, observer)
        let answer: @Sendable (Result<any LinkDriver, BLEError>) -> Void = tracer.asked(
            .connect,
            describing: { driver, trace in
                trace.maximumWriteLength = driver.maximumWriteLength(.withoutResponse)
            }, then: completion)
        return base.openLink(
            to: identity,
            events: { event in
                tracer.happened(event)
                events(event)
            },
            completion: { result in
                if case .success(let driver) = result { tracer.opened(driver) }
                answer(result.map { TracedDriver($0, tracer) })
            })
    }
}

/// Tells an observer what goes over one link.
private final class LinkTracer: Sendable {
    private let identity: PeripheralIdentity
    private let time: any TransportTime
    private let observer: LinkObserver
    private let lastNumber = Locked<UInt64>(0)
    private let driver = Locked(WeakDriver())

    private struct WeakDriver {
        weak var driver: (any LinkDriver)?
    }

    init(
        _ identity: PeripheralIdentity, on time: any TransportTime,
        _ observer: @escaping LinkObserver
    ) {
        self.identity = identity
        self.time = time
        self.observer = observer
    }

    func opened(_ driver: any LinkDriver) {
        self.driver.withLock { $0.driver = driver }
    }

    func happened(_ event: LinkEvent) {
        var trace = LinkTrace(.happened, identity, at: time.now())
        trace.event = event
        switch event {
        case .value(let attribute, let value):
            trace.attribute = attribute
            trace.bytes = value
        case .maximumLengthChanged:
            let driver = driver.withLock { $0.driver }
            trace.maximumWriteLength = driver?.maximumWriteLength(.withoutResponse)
        case .servicesChanged, .disconnected: break
        }
        observer(trace)
    }

    func closes() {
        var trace = LinkTrace(.asked, identity, at: time.now())
        trace.operation = .disconnect
        observer(trace)
    }

    /// Tells that something is asked for, and gives a completion that tells the answer first.
    func asked<Value>(
        _ operation: BLEError.Operation, _ attribute: AttributeID? = nil, _ bytes: [UInt8]? = nil,
        _ mode: WriteMode? = nil,
        describing describe: @escaping @Sendable (Value, inout LinkTrace) -> Void = { _, _ in },
        then completion: @escaping @Sendable (Result<Value, BLEError>) -> Void
    ) -> @Sendable (Result<Value, BLEError>) -> Void {
        let number = lastNumber.withLock { last in
            last &+= 1
            return last
        }
        var trace = LinkTrace(.asked, identity, at: time.now())
        trace.operation = operation
        trace.number = number
        trace.attribute = attribute
        trace.bytes = bytes
        trace.mode = mode
        observer(trace)
        return { [self] result in
            var trace = LinkTrace(.answered, identity, at: time.now())
            trace.operation = operation
            trace.number = number
            trace.attribute = attribute
            trace.mode = mode
            switch result {
            case .success(let value): describe(value, &trace)
            case .failure(let error): trace.error = error
            }
            observer(trace)
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

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {
        base.discoverServices(
            tracer.asked(.discover, describing: { $1.services = $0 }, then: completion))
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        base.read(
            attribute,
            tracer.asked(.read, attribute, describing: { $1.bytes = $0 }, then: completion))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        base.write(
            value, to: attribute, mode,
            tracer.asked(.write, attribute, value, mode, then: completion))
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        let operation: BLEError.Operation = isOn ? .subscribe : .unsubscribe
        base.setNotify(isOn, for: attribute, tracer.asked(operation, attribute, then: completion))
    }

    func maximumWriteLength(_ mode: WriteMode) -> Int { base.maximumWriteLength(mode) }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        base.readRSSI(tracer.asked(.readRSSI, then: completion))
    }

    func pair(_ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void) {
        base.pair(tracer.asked(.pair, then: completion))
    }

    func disconnect() {
        tracer.closes()
        base.disconnect()
    }
}
