internal import HaloProtocol

extension BLETransport {
    /// Listens for devices, from now until the sequence is dropped.
    ///
    /// - Parameters:
    ///   - filter: A filter for devices; each is told of once, and again when something new is
    ///     heard of it, unless the filter asks for every advertisement.
    ///   - capacity: The most devices that wait to be taken.
    public func scan(_ filter: ScanFilter = .all, buffer capacity: Int = 256) -> Scan {
        let buffer = StreamBuffer<Discovery>(capacity: capacity, for: .scan, on: time)
        let scanning = submitScan(filter) { result in
            switch result {
            case .success(let discovery): buffer.push(discovery)
            case .failure(let error): buffer.end(error)
            }
        }
        return Scan(buffer, markLost: { $0.lostBefore = $1 }, atEnd: scanning.cancel)
    }

    /// Looks for a device until one is heard that matches.
    ///
    /// It throws ``BLEError/Kind/notFound`` when none was in time.
    ///
    /// - Parameters:
    ///   - filter: A filter for the device.
    ///   - timeout: The longest time to listen, on the transport's time.
    public func find(
        _ filter: ScanFilter = .all, timeout: Duration = .seconds(30)
    ) async throws(BLEError) -> Discovery {
        if Task.isCancelled { throw BLEError(.cancelled, .scan) }
        let found = Promise<Discovery>(for: .scan, on: time)
        let timer = time.schedule(at: time.now() + timeout) {
            found.resolve(.failure(BLEError(.notFound, .scan)))
        }
        let scanning = submitScan(filter) { found.resolve($0) }
        defer {
            timer.cancel()
            scanning.cancel()
        }
        return try await found.value()
    }

    /// Listens for devices, and tells of each by a call, until cancelled or until scanning
    /// fails.
    package func submitScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> Registration {
        let relay = ScanRelay(filter, report)
        let scanning = startScan(filter) { relay.take($0) }
        return Registration {
            relay.stop()
            scanning.cancel()
        }
    }

    /// The state of the adapter: the current one at once, and each change.
    public func adapterStates() -> AdapterStates {
        let buffer = StreamBuffer<AdapterState>(capacity: 16, for: .adapter, on: time)
        let last = Locked<AdapterState?>(nil)
        let observation = observeAdapter { state in
            let isNew = last.withLock { last in
                defer { last = state }
                return last != state
            }
            if isNew { buffer.push(state) }
        }
        let now = adapterState
        let isFirst = last.withLock { last in
            defer { last = last ?? now }
            return last == nil
        }
        if isFirst { buffer.push(now) }
        return AdapterStates(buffer, atEnd: observation.cancel)
    }
}

/// The way from a backend's scan to the caller: reports worth telling, one at a time, in order.
private final class ScanRelay: Sendable {
    private struct State: DrainState {
        var sieve: ScanSieve
        /// `nil` after the end: nothing more is told then.
        var report: BLECompletion<Discovery>?
        var results = FIFO<Result<Discovery, BLEError>>()

        mutating func nextStep(
            for role: DrainRole
        ) -> (report: BLECompletion<Discovery>, result: Result<Discovery, BLEError>)? {
            guard let report, let result = results.popFirst() else {
                results = FIFO()
                return nil
            }
            if case .failure = result { self.report = nil }
            return (report, result)
        }
    }

    private let drain: Drain<State>

    init(_ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>) {
        drain = Drain(State(sieve: ScanSieve(filter), report: report))
    }

    /// Takes in a report, and passes on what is worth telling.
    func take(_ result: Result<Discovery, BLEError>) {
        drain.change(as: .owner, perform: { $0.report($0.result) }) { state in
            guard case .success(let heard) = result else { return state.results.append(result) }
            if let discovery = state.sieve.sift(heard) { state.results.append(.success(discovery)) }
        }
    }

    /// Tells nothing more.
    func stop() {
        _ = drain.withLock { state in
            defer { state.report = nil }
            return state.report
        }
    }
}

/// A sieve for the advertisements that a backend reports: those that are worth telling pass.
///
/// What is known of a device grows with what is heard of it, as a name may come later than the
/// services. At most ``maximumDevices`` are remembered; the oldest is forgotten first, and told
/// again if it is heard again.
struct ScanSieve {
    /// The most devices that are remembered.
    static let maximumDevices = 1024
    /// The most services, and companies, of one device that are remembered.
    static let maximumServices = 64

    private struct Known {
        var discovery: Discovery
        var wasTold = false
    }

    private let filter: ScanFilter
    private var known: [PeripheralIdentity: Known] = [:]
    private var order = FIFO<PeripheralIdentity>()

    init(_ filter: ScanFilter) { self.filter = filter }

    /// Takes in what was heard; gives what is to be told, if anything.
    mutating func sift(_ heard: Discovery) -> Discovery? {
        let before = known[heard.identity]
        var now = before ?? Known(discovery: heard)
        now.discovery = Self.merge(heard, into: now.discovery)
        let matches = filter.matches(now.discovery)
        let isNew = before.map { !$0.wasTold || Self.differs($0.discovery, now.discovery) } ?? true
        now.wasTold = now.wasTold || matches
        if before == nil { makeRoom(for: heard.identity) }
        known[heard.identity] = now
        return matches && (isNew || filter.reportsDuplicates) ? now.discovery : nil
    }

    private mutating func makeRoom(for identity: PeripheralIdentity) {
        order.append(identity)
        if order.count > Self.maximumDevices, let oldest = order.popFirst() {
            known[oldest] = nil
        }
    }

    private static func merge(_ heard: Discovery, into known: Discovery) -> Discovery {
        var all = heard
        all.name = heard.name ?? known.name
        all.rssi = heard.rssi ?? known.rssi
        all.isConnectable = heard.isConnectable ?? known.isConnectable
        let services = known.services.filter { !heard.services.contains($0) }
        if services.count + heard.services.count <= maximumServices {
            all.services = services + heard.services
        }
        let companies = known.manufacturerData.filter { old in
            !heard.manufacturerData.contains { $0.company == old.company }
        }
        if companies.count + heard.manufacturerData.count <= maximumServices {
            all.manufacturerData = companies + heard.manufacturerData
        }
        return all
    }

    private static func differs(_ one: Discovery, _ other: Discovery) -> Bool {
        one.name != other.name || one.isConnectable != other.isConnectable
            || Set(one.services) != Set(other.services)
            || Set(one.manufacturerData) != Set(other.manufacturerData)
    }
}

/// The devices that are heard, as they are.
///
/// It listens from the moment it is made until it and its iterators are dropped. When more
/// devices wait than its buffer holds, the oldest are dropped, and the next one says in
/// ``Discovery/lostBefore`` how many. It ends only by throwing: when scanning cannot go on, with
/// the reason; when the waiting task is cancelled, with ``BLEError/Kind/cancelled``.
public typealias Scan = TransportUpdates<Discovery>

/// The state of the adapter: the current one at once, and each change.
///
/// It never ends by itself; it throws ``BLEError/Kind/cancelled`` when the waiting task is
/// cancelled. Of changes that are not taken, the last few are kept.
public typealias AdapterStates = TransportUpdates<AdapterState>
