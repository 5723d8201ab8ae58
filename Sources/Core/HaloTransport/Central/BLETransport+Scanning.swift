public import HaloProtocol

extension BLETransport {
    /// Scans for devices until the sequence is dropped.
    ///
    /// A device is reported once, and again when its advertisement has something new.
    ///
    /// - Parameters:
    ///   - filter: A filter for devices, which may ask for every advertisement.
    ///   - bufferLimit: The maximum number of buffered discoveries.
    public func scan(_ filter: ScanFilter = .all, bufferLimit: Int = 256) -> Scan {
        let buffer = BoundedBuffer<Discovery, BLEError>(capacity: bufferLimit, on: time)
        let source = submitScan(filter) { result in
            switch result {
            case .success(let discovery): buffer.push(discovery)
            case .failure(let error): buffer.end(error)
            }
        }
        return Scan(buffer, markLost: { $0.lostBefore = $1 }, from: source)
    }

    /// Scans until a matching device is discovered; throws ``BLEError/Kind/timedOut`` at the
    /// timeout.
    ///
    /// - Parameters:
    ///   - filter: A filter for the device.
    ///   - timeout: The timeout on the transport's time.
    public func find(
        _ filter: ScanFilter = .all, timeout: Duration = .seconds(30)
    ) async throws(BLEError) -> Discovery {
        try await waiting(atMost: timeout) { submitScan(filter, $0) }
    }

    /// Returns the devices with one of some services that the system is connected to, except over
    /// this transport; throws ``BLEError/Kind/timedOut`` at the timeout.
    ///
    /// Such a device does not advertise: a bonded ring, or one that another app uses. Connect to it
    /// as to a device that was discovered.
    public func connectedDevices(
        with services: [BluetoothUUID], timeout: Duration = .seconds(10)
    ) async throws(BLEError) -> [Discovery] {
        try await waiting(atMost: timeout) { completion in
            retrieveConnected(services, completion)
            return BLECancellable {}
        }
    }

    /// Begins a search, and waits for its first result until the timeout; then the search ends.
    private nonisolated(nonsending) func waiting<Value: Sendable>(
        atMost timeout: Duration, _ begin: (@escaping BLECompletion<Value>) -> BLECancellable
    ) async throws(BLEError) -> Value {
        let found = Promise<Value, BLEError>(for: .scan, on: time)
        var search = [BLECancellable]()
        defer { for part in search { part.cancel() } }
        return try await found.value {
            let timer = time.schedule(at: time.now() + timeout) {
                found.resolve(.failure(BLEError(.timedOut, .scan)))
            }
            search = [timer, begin(found.completion)]
            return nil
        }
    }

    /// Scans for devices, and calls a function with each discovery, until cancelled or until
    /// scanning fails.
    package func submitScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        let loop = time.loop
        let reports = ScanReports(filter, report)
        let scanning = loop.run {
            startScan(filter) { result in loop.report { reports.receive(result) } }
        }
        return BLECancellable {
            loop.run {
                reports.stop(in: loop)
                scanning.cancel()
            }
        }
    }

    /// Returns the states of the adapter: the current one at once, then each change.
    ///
    /// The last 16 are buffered. The sequence never throws, and ends when the task is cancelled.
    public func adapterStates() -> TransportUpdates<AdapterState> {
        let loop = time.loop
        let buffer = BoundedBuffer<AdapterState, BLEError>(capacity: 16, on: time)
        let last = InLoop<AdapterState?>(loop, nil)
        let push: @Sendable (AdapterState) -> Void = { state in
            last.run { last in
                if last != state { buffer.push(state) }
                last = state
            }
        }
        let observation = loop.run {
            let observation = observeAdapter { state in loop.report { push(state) } }
            push(adapterState)
            return observation
        }
        return TransportUpdates(buffer, from: observation)
    }
}

/// The reports of one backend's scan: a report passes if it matches and has something new. Used in
/// turns of the loop.
///
/// Reports of one device are merged, as a name may come later than the services. At most
/// ``maximumDevices`` are kept. The oldest device is dropped first; if it is reported again, it
/// counts as new.
private final class ScanReports: @unchecked Sendable {
    static let maximumDevices = 1024
    /// The maximum number of services, and of manufacturer data, kept for one device.
    static let maximumServices = 64

    private let filter: ScanFilter
    /// The caller's function; `nil` after the end.
    private var report: BLECompletion<Discovery>?
    private var known: [PeripheralIdentity: (discovery: Discovery, isReported: Bool)] = [:]
    private var order = Queue<PeripheralIdentity>()

    init(_ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>) {
        self.filter = filter
        self.report = report
    }

    func receive(_ result: Result<Discovery, BLEError>) {
        guard let report else { return }
        switch result {
        case .success(let heard):
            if let discovery = passed(heard) { report(.success(discovery)) }
        case .failure:
            self.report = nil
            report(result)
        }
    }

    func stop(in loop: TransportLoop) {
        guard let report else { return }
        self.report = nil
        loop.later { _ = report }
    }

    /// Merges a report with the earlier reports of its device. Returns the merged discovery if it
    /// passes, otherwise `nil`.
    private func passed(_ heard: Discovery) -> Discovery? {
        let before = known[heard.identity]
        let now = Self.merge(heard, into: before?.discovery ?? heard)
        let matches = filter.matches(now)
        let isNew = before.map { !$0.isReported || Self.differs($0.discovery, now) } ?? true
        if before == nil { makeRoom(for: heard.identity) }
        known[heard.identity] = (now, matches || before?.isReported == true)
        return matches && (isNew || filter.reportsDuplicates) ? now : nil
    }

    private func makeRoom(for identity: PeripheralIdentity) {
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

    /// Returns `true` if the content of the advertisements differs, in whatever order it came.
    private static func differs(_ one: Discovery, _ other: Discovery) -> Bool {
        one.name != other.name || one.isConnectable != other.isConnectable
            || Set(one.services) != Set(other.services)
            || Set(one.manufacturerData) != Set(other.manufacturerData)
    }
}
