package import HaloProtocol
package import HaloTransport

/// A search for devices of one kind. It returns the most certain candidate first; of equally
/// certain ones, the one with the strongest signal.
///
/// Rules:
/// - A device that the system is connected to does not advertise. Such devices are the first
///   candidates; if there is one, there is no scan before it was tried, and there is one if it
///   cannot be used: another app may use it.
/// - An advertisement proves nothing: a candidate may turn out to be another kind of device. Then
///   the next one is tried.
/// - After the first candidate the scan continues for a window of time, to find a better one,
///   unless it is the only one that can be meant. When all candidates have been tried, it scans
///   again. The sum of all scans is no longer than the timeout.
/// - There is no scan while a candidate is being connected to.
/// - The first candidate has the whole timeout for connecting; all others together have it once
///   more. So any number of devices that do not reply ends in bounded time.
/// - Each device is returned once, and at most ``maximumCandidates`` are: devices with made-up
///   addresses are not connected to without end.
package struct DeviceFinder {
    static let maximumCandidates = 16

    private let transport: any BLETransport
    private let filter: ScanFilter
    /// The services by which connected devices are found, until they are asked for.
    private var services: [BluetoothUUID]
    private let window: Duration
    private let isOnly: @Sendable (Discovery) -> Bool
    private var remaining: Duration
    private let candidates: Locked<Candidates>

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - services: The services by which a connected device is found.
    ///   - isOnly: Returns `true` for a candidate that makes waiting for another one needless.
    ///   - confidence: Returns the confidence that a device is of the kind; `nil` if it is not.
    package init(
        _ transport: any BLETransport, _ filter: ScanFilter, connected services: [BluetoothUUID],
        timeout: Duration, window: Duration,
        isOnly: @escaping @Sendable (Discovery) -> Bool = { _ in false },
        confidence: @escaping @Sendable (Discovery) -> RingRecognition.Confidence?
    ) {
        self.transport = transport
        self.filter = filter
        self.services = services
        self.window = window
        self.isOnly = isOnly
        remaining = timeout
        candidates = Locked(Candidates(confidence))
    }

    package nonisolated(nonsending) mutating func best() async throws(DeviceError) -> Discovery {
        guard let best = try await next() else { throw Self.notFound }
        return best.discovery
    }

    /// Connects to the candidates in order, until one is of the kind.
    ///
    /// The first error of a device that advertises ends the scanning, unless it is a wrong device,
    /// because the next call may succeed: after it only candidates that are already known are
    /// tried. The first error that is not of a wrong device is thrown.
    ///
    /// - Parameters:
    ///   - timeout: The time for the first candidate, and then for all others together.
    ///   - device: Creates the device, which is connected then.
    nonisolated(nonsending) mutating func connect<Device: ClientDevice>(
        within timeout: Duration, to device: (Discovery) -> Device
    ) async throws(DeviceError) -> Device {
        let time = transport.time
        var failure: DeviceError?
        var mayListen = true
        var left = timeout
        while let candidate = try await next() {
            let start = time.now()
            do throws(DeviceError) {
                return try await device(candidate.discovery).connected(
                    within: left, isInReach: true)
            } catch {
                if failure != nil { left -= time.now().duration(since: start) }
                if error.kind == .cancelled { throw error }
                if error.kind != .wrongDevice, !candidate.isConnected { mayListen = false }
                let first = failure.flatMap { $0.kind == .wrongDevice ? nil : $0 } ?? error
                failure = first
                guard left > .zero, mayListen || candidates.withLock({ !$0.waiting.isEmpty })
                else { throw first }
            }
        }
        throw failure ?? Self.notFound
    }

    private static var notFound: DeviceError {
        DeviceError(.notFound, bleError: BLEError(.notFound, .scan))
    }

    /// Returns the best remaining candidate; `nil` if none was discovered in time.
    private nonisolated(nonsending) mutating func next() async throws(DeviceError)
        -> Candidates.Candidate?
    {
        if Task.isCancelled { throw DeviceError(.cancelled) }
        if candidates.withLock({ $0.isFull }) { return nil }
        try await retrieveConnected()
        while candidates.withLock({ $0.waiting.isEmpty }), remaining > .zero { try await listen() }
        return candidates.withLock { $0.removeBest() }
    }

    private nonisolated(nonsending) mutating func retrieveConnected() async throws(DeviceError) {
        guard !services.isEmpty, transport.features.contains(.connectedDevices) else { return }
        defer { services = [] }
        let time = transport.time
        let start = time.now()
        do throws(BLEError) {
            let found = try await transport.connectedDevices(with: services, timeout: remaining)
            candidates.withLock { candidates in
                for discovery in found { _ = candidates.receive(discovery, isConnected: true) }
            }
        } catch {
            if error.kind == .cancelled { throw DeviceError(error) }
            // The scan reports why Bluetooth cannot be used.
        }
        remaining = max(remaining - time.now().duration(since: start), .zero)
    }

    /// Scans until the window that begins with the first candidate has passed, or the timeout.
    private nonisolated(nonsending) mutating func listen() async throws(DeviceError) {
        let time = transport.time
        let start = time.now()
        let end = start + remaining
        let isOver = Promise<Void, BLEError>(for: .scan, on: time)
        let timers = Locked([time.schedule(at: end) { isOver.resolve(.success(())) }])
        let scan = transport.submitScan(filter) { [candidates, window, isOnly] result in
            switch result {
            case .success(let discovery):
                let isFirst = candidates.withLock { $0.receive(discovery) }
                if isOnly(discovery) { isOver.resolve(.success(())) }
                guard isFirst else { return }
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

private struct Candidates {
    struct Candidate {
        var discovery: Discovery
        var confidence: RingRecognition.Confidence
        /// `true` if the system is connected to the device.
        var isConnected: Bool

        func isBetter(than other: Candidate) -> Bool {
            if confidence != other.confidence { return confidence > other.confidence }
            return (discovery.rssi ?? .min) > (other.discovery.rssi ?? .min)
        }
    }

    private let confidence: @Sendable (Discovery) -> RingRecognition.Confidence?
    /// The candidates that were not returned yet, in the order of discovery.
    private(set) var waiting: [Candidate] = []
    private var given: Set<PeripheralIdentity> = []

    init(_ confidence: @escaping @Sendable (Discovery) -> RingRecognition.Confidence?) {
        self.confidence = confidence
    }

    var isFull: Bool { given.count >= DeviceFinder.maximumCandidates }

    /// Receives an advertisement; returns `true` for the first candidate. If there are more
    /// candidates than can be returned, the worst is dropped.
    mutating func receive(_ discovery: Discovery, isConnected: Bool = false) -> Bool {
        let known = waiting.firstIndex { $0.discovery.identity == discovery.identity }
        guard !given.contains(discovery.identity), let confidence = self.confidence(discovery)
        else {
            // A later advertisement shows that it is another kind of device.
            if let known { waiting.remove(at: known) }
            return false
        }
        let candidate = Candidate(
            discovery: discovery, confidence: confidence, isConnected: isConnected)
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

    mutating func removeBest() -> Candidate? {
        guard let best = waiting.indices.min(by: { waiting[$0].isBetter(than: waiting[$1]) })
        else { return nil }
        let candidate = waiting.remove(at: best)
        given.insert(candidate.discovery.identity)
        return candidate
    }
}
