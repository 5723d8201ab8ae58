public import HaloProtocol

/// An entry of a link's log: a request to the backend, its reply, or an event.
public struct LinkTrace: Hashable, Sendable {
    /// The kinds of traces; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind in one word.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// A request to the backend.
        public static let request = Kind("request")
        /// The backend's reply to a request.
        public static let reply = Kind("reply")
        /// The event in ``LinkTrace/event``.
        public static let event = Kind("event")
    }

    /// The moment on the transport's timeline.
    public let moment: Moment
    /// The device at the other end.
    public let identity: PeripheralIdentity
    /// The kind of entry.
    public let kind: Kind
    /// The requested operation; `nil` for an event.
    public var operation: BLEError.Operation?
    /// The number of the operation on its link, the same in its request and its reply.
    public var number: UInt64?
    /// The characteristic or the descriptor of the operation or the event.
    public var attribute: AttributeID?
    /// The value that was written, read or notified.
    public var bytes: [UInt8]?
    /// The mode of a write.
    public var mode: WriteMode?
    /// The discovered services.
    public var services: [GATTService]?
    /// The maximum number of bytes of one write without response: in the reply to connecting, and
    /// in ``LinkEvent/maximumLengthChanged``.
    public var maximumWriteLength: Int?
    /// The event.
    public var event: LinkEvent?
    /// The error of a reply.
    public var error: BLEError?

    package init(_ kind: Kind, _ identity: PeripheralIdentity, at moment: Moment) {
        self.kind = kind
        self.identity = identity
        self.moment = moment
    }
}

final class LinkTracer: Sendable {
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

    private func log(_ kind: LinkTrace.Kind, _ describe: (inout LinkTrace) -> Void) {
        // In one turn: entries of several threads come in the order of their moments.
        time.loop.run {
            var trace = LinkTrace(kind, identity, at: time.now())
            describe(&trace)
            // The observer may call a client whose state is being changed.
            time.loop.later { [observer, trace] in observer(trace) }
        }
    }

    func received(_ event: LinkEvent) {
        log(.event) { trace in
            trace.event = event
            switch event {
            case .value(let attribute, let value):
                trace.attribute = attribute
                trace.bytes = value
            case .maximumLengthChanged:
                let driver = state.withLock { $0.driver }
                trace.maximumWriteLength = driver?.maximumWriteLength(for: .withoutResponse)
            case .servicesChanged, .disconnected: break
            }
        }
    }

    func closes() { log(.request) { $0.operation = .disconnect } }

    /// Logs a request; returns a completion that logs the reply first.
    func request<Value>(
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
        log(.request) { trace in
            name(&trace)
            trace.bytes = bytes
        }
        return { [self] result in
            log(.reply) { trace in
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

final class TracedDriver: LinkDriver {
    private let base: any LinkDriver
    private let tracer: LinkTracer

    init(_ base: any LinkDriver, _ tracer: LinkTracer) {
        self.base = base
        self.tracer = tracer
    }

    var identity: PeripheralIdentity { base.identity }

    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        base.discoverServices(
            tracer.request(.discover, describing: { $1.services = $0 }, then: completion))
    }

    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        let reply = tracer.request(
            .read, attribute, describing: { $1.bytes = $0 }, then: completion)
        base.read(attribute, reply)
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {
        let reply = tracer.request(.write, attribute, value, mode, then: completion)
        base.write(value, to: attribute, mode, reply)
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        let operation: BLEError.Operation = isOn ? .subscribe : .unsubscribe
        base.setNotify(isOn, for: attribute, tracer.request(operation, attribute, then: completion))
    }

    func maximumWriteLength(for mode: WriteMode) -> Int { base.maximumWriteLength(for: mode) }

    func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        base.readRSSI(tracer.request(.readRSSI, then: completion))
    }

    func pair(_ completion: @escaping BLECompletion<Void>) {
        base.pair(tracer.request(.pair, then: completion))
    }

    func disconnect() {
        tracer.closes()
        base.disconnect()
    }
}
