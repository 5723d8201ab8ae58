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

/// What stands between a backend's scan and who asked for it.
private final class ScanRelay: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    private struct State {
        var sieve: ScanSieve
        var report: Report?
        var outbox = FIFO<Result<Discovery, BLEError>>()
        var isDraining = false
    }

    private let state: Locked<State>

    init(_ filter: ScanFilter, _ report: @escaping Report) {
        state = Locked(State(sieve: ScanSieve(filter), report: report))
    }

    /// Takes in a report, and passes on what is worth telling; one at a time, in order.
    func take(_ result: Result<Discovery, BLEError>) {
        let mustDrain = state.withLock { state in
            switch result {
            case .success(let heard):
                guard let discovery = state.sieve.sift(heard) else { return false }
                state.outbox.append(.success(discovery))
            case .failure:
                state.outbox.append(result)
            }
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard mustDrain else { return }
        while let (report, result) = next() { report(result) }
    }

    /// Tells nothing more.
    func stop() {
        _ = state.withLock { state in
            defer { state.report = nil }
            return state.report
        }
    }

    private func next() -> (Report, Result<Discovery, BLEError>)? {
        state.withLock { state in
            guard let report = state.report, let result = state.outbox.popFirst() else {
                state.isDraining = false
                _ = state.outbox.removeAll()
                return nil
            }
            if case .failure = result { state.report = nil }
            return (report, result)
        }
    }
}
