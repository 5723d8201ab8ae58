internal import HaloProtocol
internal import HaloTransport

/// Listens for devices of one kind, and gives those that may be one: the surest first, and of
/// equally sure ones that with the strongest signal.
///
/// Rules:
/// - An advertisement proves nothing: a candidate that turns out to be another kind of device
///   makes room for the next one.
/// - It goes on listening for a window of time after the first candidate, so that a better one is
///   heard. When all have been given it listens again; in sum no longer than its timeout.
/// - Nothing is listened for while a candidate is connected to.
/// - The first candidate has the whole time for connecting; all others together have it once
///   more. So a crowd of devices that do not answer is given up in bounded time.
/// - Each device is given once, and at most ``maximumCandidates`` are: a crowd that makes up
///   addresses is not connected to without end.
struct DeviceFinder {
    /// The most devices that one search connects to.
    static let maximumCandidates = 16

    private let transport: any BLETransport
    private let filter: ScanFilter
    private let window: Duration
    /// The time that is left for listening.
    private var remaining: Duration
    private let candidates: Locked<Candidates>

    /// A search.
    ///
    /// - Parameters:
    ///   - certainty: The confidence with which a device is of the kind that is looked for, or
    ///     `nil` if it is of another.
    init(
        _ transport: any BLETransport, _ filter: ScanFilter, timeout: Duration, window: Duration,
        certainty: @escaping @Sendable (Discovery) -> RingRecognition.Confidence?
    ) {
        self.transport = transport
        self.filter = filter
        self.window = window
        remaining = timeout
        candidates = Locked(Candidates(certainty))
    }

    /// The best candidate.
    nonisolated(nonsending) mutating func best() async throws(DeviceError) -> Discovery {
        guard let best = try await next() else { throw Self.notFound }
        return best
    }

    /// Connects to the candidates in their order, until one is of the kind that is looked for.
    ///
    /// When a candidate cannot be connected to, only those that were heard besides are tried: a
    /// program is told at once of what may succeed with the next call. The failure of a device
    /// that may have been the right one is told rather than that of a wrong one.
    ///
    /// - Parameters:
    ///   - timeout: The time for the first candidate, and then for all others together.
    ///   - body: Connects to a device, in no more than a time.
    nonisolated(nonsending) mutating func connect<Client>(
        within timeout: Duration,
        _ body:
            nonisolated(nonsending) (
                PeripheralIdentity, Duration
            ) async throws(DeviceError) -> Client
    ) async throws(DeviceError) -> Client {
        let time = transport.time
        var failure: DeviceError?
        var left = timeout
        while let candidate = try await next() {
            let start = time.now()
            do throws(DeviceError) {
                return try await body(candidate.identity, left)
            } catch {
                if failure != nil { left -= time.now().duration(since: start) }
                if error.kind == .cancelled { throw error }
                let told = failure.flatMap { $0.kind == .wrongDevice ? nil : $0 } ?? error
                failure = told
                let mayListen = told.kind == .wrongDevice
                guard left > .zero, mayListen || candidates.withLock({ !$0.waiting.isEmpty })
                else { throw told }
            }
        }
        throw failure ?? Self.notFound
    }

    private static var notFound: DeviceError {
        DeviceError(.notFound, bleError: BLEError(.notFound, .scan))
    }

    /// The best candidate that was not given yet, or `nil` if none was heard in time.
    private nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Discovery? {
        if Task.isCancelled { throw DeviceError(.cancelled) }
        if candidates.withLock({ $0.isFull }) { return nil }
        while candidates.withLock({ $0.waiting.isEmpty }), remaining > .zero { try await listen() }
        return candidates.withLock { $0.removeBest() }
    }

    /// Listens until the window is over that begins with the first candidate, or all the time.
    private nonisolated(nonsending) mutating func listen() async throws(DeviceError) {
        let time = transport.time
        let start = time.now()
        let end = start + remaining
        let isOver = Promise<Void>(for: .scan, on: time)
        let timers = Locked([time.schedule(at: end) { isOver.resolve(.success(())) }])
        let scan = transport.submitScan(filter) { [candidates, window] result in
            switch result {
            case .success(let discovery):
                guard candidates.withLock({ $0.take(discovery) }) else { return }
                let timer = time.schedule(at: min(time.now() + window, end)) {
                    isOver.resolve(.success(()))
                }
                timers.withLock { $0.append(timer) }
            case .failure(let error): isOver.resolve(.failure(error))
            }
        }
        defer {
            scan.cancel()
            for timer in timers.withLock({ $0 }) { timer.cancel() }
            remaining = max(remaining - time.now().duration(since: start), .zero)
        }
        do throws(BLEError) {
            try await isOver.value()
        } catch {
            throw DeviceError(error)
        }
    }
}

/// The devices of a search.
private struct Candidates {
    struct Candidate {
        var discovery: Discovery
        var confidence: RingRecognition.Confidence

        func isBetter(than other: Candidate) -> Bool {
            if confidence != other.confidence { return confidence > other.confidence }
            return (discovery.rssi ?? .min) > (other.discovery.rssi ?? .min)
        }
    }

    private let certainty: @Sendable (Discovery) -> RingRecognition.Confidence?
    /// Those that were heard and not given yet, in the order in which they were heard.
    private(set) var waiting: [Candidate] = []
    private var given: Set<PeripheralIdentity> = []

    init(_ certainty: @escaping @Sendable (Discovery) -> RingRecognition.Confidence?) {
        self.certainty = certainty
    }

    /// `true` once no further device is given.
    var isFull: Bool { given.count >= DeviceFinder.maximumCandidates }

    /// Takes in what was heard of a device; `true` for the first candidate. Of more than can be
    /// given, the worst is forgotten.
    mutating func take(_ discovery: Discovery) -> Bool {
        let known = waiting.firstIndex { $0.discovery.identity == discovery.identity }
        guard !given.contains(discovery.identity), let confidence = certainty(discovery) else {
            // More was heard of it, and it is something else.
            if let known { waiting.remove(at: known) }
            return false
        }
        let candidate = Candidate(discovery: discovery, confidence: confidence)
        if let known {
            waiting[known] = candidate
            return false
        }
        waiting.append(candidate)
        if waiting.count > DeviceFinder.maximumCandidates,
            let worst = waiting.indices.min(by: { waiting[$1].isBetter(than: waiting[$0]) })
        {
            waiting.remove(at: worst)
        }
        return waiting.count == 1
    }

    /// Takes the best one out.
    mutating func removeBest() -> Discovery? {
        guard let best = waiting.indices.min(by: { waiting[$0].isBetter(than: waiting[$1]) })
        else { return nil }
        let discovery = waiting.remove(at: best).discovery
        given.insert(discovery.identity)
        return discovery
    }
}
