internal import HaloProtocol

extension BLETransport {
    /// Listens for devices, from now until the sequence is dropped.
    ///
    /// - Parameters:
    ///   - filter: Which devices to tell of; each once, and again when something new is heard of
    ///     it, unless the filter asks for every advertisement.
    ///   - capacity: How many wait at most for who takes them.
    public func scan(_ filter: ScanFilter = .all, buffer capacity: Int = 256) -> Scan {
        let buffer = StreamBuffer<Discovery>(capacity: capacity, for: .scan, on: time)
        let scanning = submitScan(filter) { result in
            switch result {
            case .success(let discovery): buffer.push(discovery)
            case .failure(let error): buffer.end(error)
            }
        }
        return Scan(buffer: buffer, token: ReleaseToken { scanning.cancel() })
    }

    /// Looks for a device until one is heard that matches.
    ///
    /// It throws ``BLEError/Kind/notFound`` when none was in time.
    ///
    /// - Parameters:
    ///   - filter: Which device.
    ///   - timeout: How long to look, on the transport's time.
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
        _ filter: ScanFilter, _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration {
        let relay = ScanRelay(filter, report)
        let scanning = startScan(filter) { relay.take($0) }
        return Registration {
            relay.stop()
            scanning.cancel()
        }
    }

    /// Whether Bluetooth can be used: now, and each time that it changes.
    public func adapterStates() -> AdapterStates {
        let buffer = StreamBuffer<AdapterState>(
            capacity: Self.adapterStatesKept, for: .adapter, on: time)
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
        return AdapterStates(buffer: buffer, token: ReleaseToken { observation.cancel() })
    }

    private static var adapterStatesKept: Int { 16 }
}

/// The way from a backend's scan to the caller: reports worth telling, one at a time, in order.
private final class ScanRelay: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    private struct State: DrainState {
        var sieve: ScanSieve
        /// `nil` after the end: nothing more is told then.
        var report: Report?
        var results = FIFO<Result<Discovery, BLEError>>()

        mutating func nextStep(
            for role: DrainRole
        ) -> (report: Report, result: Result<Discovery, BLEError>)? {
            guard let report, let result = results.popFirst() else {
                results = FIFO()
                return nil
            }
            if case .failure = result { self.report = nil }
            return (report, result)
        }
    }

    private let drain: Drain<State>

    init(_ filter: ScanFilter, _ report: @escaping Report) {
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
