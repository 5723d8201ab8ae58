internal import HaloProtocol

/// A change among the devices in reach.
public struct PresenceChange: Hashable, Sendable {
    /// The kinds of changes.
    public enum Kind: Hashable, Sendable {
        /// The device was discovered, or it is back after it was lost.
        case discovered
        /// The advertisement has something new, or the RSSI has changed.
        case updated
        /// No advertisement was received for the chosen time.
        case lost
    }

    /// The kind of change.
    public let kind: Kind
    /// The device, as it was heard last.
    public var discovery: Discovery

    /// Creates a change.
    public init(_ kind: Kind, _ discovery: Discovery) {
        self.kind = kind
        self.discovery = discovery
    }
}

extension BLETransport {
    /// Scans, and follows which devices are in reach, until the sequence is dropped.
    ///
    ///     for try await change in transport.presence(lostAfter: .seconds(15)) {
    ///         switch change.kind {
    ///         case .discovered, .updated: show(change.discovery)
    ///         case .lost: hide(change.discovery.identity)
    ///         }
    ///     }
    ///
    /// It needs every advertisement: without ``TransportFeatures/duplicateReports`` the sequence
    /// throws ``BLEError/Kind/notSupportedHere``. A device that a central connects to stops
    /// advertising, so it is lost. So are all while an app of an iPhone is in the background, where
    /// a device is reported once. At most 1,024 devices are followed; the one that was heard least
    /// recently is lost first.
    ///
    /// - Parameters:
    ///   - filter: A filter for devices. Its lowest RSSI decides only whether a device is
    ///     discovered.
    ///   - duration: The time without an advertisement after which a device is lost.
    ///   - rssiStep: The change of the RSSI in dB, since the last report, that is an update. Zero
    ///     reports every advertisement.
    ///   - capacity: The maximum number of buffered changes.
    public func presence(
        _ filter: ScanFilter = .all, lostAfter duration: Duration = .seconds(15),
        rssiStep: Int = 6, buffer capacity: Int = 256
    ) -> PresenceScan {
        let buffer = BoundedBuffer<PresenceChange>(capacity: capacity, on: time)
        guard features.contains(.duplicateReports) else {
            buffer.end(BLEError(.notSupportedHere, .scan))
            return PresenceScan(buffer, from: Cancellable {})
        }
        var all = filter
        all.reportsDuplicates = true
        all.minimumRSSI = nil
        let watch = PresenceWatch(
            DevicePresence(
                minimumRSSI: filter.minimumRSSI, lostAfter: duration, rssiStep: rssiStep),
            on: time, buffer)
        let scan = submitScan(all) { watch.receive($0) }
        return PresenceScan(
            buffer, markLost: { $0.discovery.lostBefore = $1 },
            from: Cancellable {
                scan.cancel()
                watch.stop()
            })
    }
}

/// The changes among the devices in reach, from the creation of the sequence until it is dropped.
///
/// When the buffer is full, the oldest change is dropped, and `discovery.lostBefore` of the next
/// one counts it. The sequence throws when scanning fails, and ends when the task is cancelled.
public typealias PresenceScan = TransportUpdates<PresenceChange>

/// The devices in reach, as a value: reports and the time in, changes out.
struct DevicePresence {
    /// The maximum number of devices.
    static let maximumDevices = ScanDeduplicator.maximumDevices

    private struct Device {
        var discovery: Discovery
        /// The discovery as it was reported last.
        var reported: Discovery
        var heard: Moment
    }

    private let minimumRSSI: Int?
    private let lostAfter: Duration
    private let rssiStep: Int
    private var devices: [PeripheralIdentity: Device] = [:]

    init(minimumRSSI: Int? = nil, lostAfter: Duration, rssiStep: Int) {
        self.minimumRSSI = minimumRSSI
        self.lostAfter = max(lostAfter, .zero)
        self.rssiStep = max(rssiStep, 0)
    }

    /// The moment at which the next device is lost; `nil` if there is none.
    var deadline: Moment? { devices.values.map(\.heard).min().map { $0 + lostAfter } }

    /// Receives a report; returns the changes.
    mutating func receive(_ discovery: Discovery, at now: Moment) -> [PresenceChange] {
        let identity = discovery.identity
        guard var device = devices[identity] else {
            if let minimumRSSI, (discovery.rssi ?? .min) < minimumRSSI { return [] }
            let dropped = makeRoom()
            devices[identity] = Device(discovery: discovery, reported: discovery, heard: now)
            return dropped + [PresenceChange(.discovered, discovery)]
        }
        device.discovery = discovery
        device.heard = now
        let isNews = isNews(discovery, since: device.reported)
        if isNews { device.reported = discovery }
        devices[identity] = device
        return isNews ? [PresenceChange(.updated, discovery)] : []
    }

    private func isNews(_ now: Discovery, since before: Discovery) -> Bool {
        if rssiStep == 0 || ScanDeduplicator.differs(before, now) { return true }
        guard let new = now.rssi, let old = before.rssi else { return now.rssi != before.rssi }
        return abs(new - old) >= rssiStep
    }

    private mutating func makeRoom() -> [PresenceChange] {
        guard devices.count >= Self.maximumDevices,
            let oldest = devices.min(by: { $0.value.heard < $1.value.heard })
        else { return [] }
        devices[oldest.key] = nil
        return [PresenceChange(.lost, oldest.value.discovery)]
    }

    /// Removes the devices that were not heard in time; returns the changes, the oldest first.
    mutating func tick(at now: Moment) -> [PresenceChange] {
        let lost = devices.filter { $0.value.heard + lostAfter <= now }
            .sorted { ($0.value.heard, $0.key.rawValue) < ($1.value.heard, $1.key.rawValue) }
        for identity in lost.map(\.key) { devices[identity] = nil }
        return lost.map { PresenceChange(.lost, $0.value.discovery) }
    }
}

/// The devices in reach with their timer; changes go to a buffer, one at a time and in order.
private final class PresenceWatch: Sendable {
    private struct State: DrainState {
        var presence: DevicePresence
        var changes = Queue<PresenceChange>()
        var failure: BLEError?
        var alarm: Cancellable?
        /// `true` while an alarm is set, or being set.
        var isArmed = false
        var isStopped = false

        mutating func nextStep(for role: DrainRole) -> Result<PresenceChange, BLEError>? {
            if let change = changes.popFirst() { return .success(change) }
            defer { failure = nil }
            return failure.map { .failure($0) }
        }
    }

    private let drain: Drain<State>
    private let time: any TransportTime
    private let buffer: BoundedBuffer<PresenceChange>

    init(
        _ presence: DevicePresence, on time: any TransportTime,
        _ buffer: BoundedBuffer<PresenceChange>
    ) {
        drain = Drain(State(presence: presence))
        self.time = time
        self.buffer = buffer
    }

    /// Receives a report of the scan.
    func receive(_ result: Result<Discovery, BLEError>) {
        let now = time.now()
        change { state in
            switch result {
            case .success(let discovery):
                for change in state.presence.receive(discovery, at: now) {
                    state.changes.append(change)
                }
            case .failure(let error): state.failure = error
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let deadline = drain.change(as: .backend, perform: perform) { state -> Moment? in
            guard !state.isStopped else { return nil }
            body(&state)
            guard !state.isArmed, let deadline = state.presence.deadline else { return nil }
            state.isArmed = true
            return deadline
        }
        guard let deadline else { return }
        let alarm = time.schedule(at: deadline) { [weak self] in self?.tick() }
        let isStopped = drain.withLock { state in
            state.alarm = alarm
            return state.isStopped
        }
        if isStopped { alarm.cancel() }
    }

    private func tick() {
        let now = time.now()
        change { state in
            state.isArmed = false
            for change in state.presence.tick(at: now) { state.changes.append(change) }
        }
    }

    private func perform(_ step: Result<PresenceChange, BLEError>) {
        switch step {
        case .success(let change): buffer.push(change)
        case .failure(let error): buffer.end(error)
        }
    }

    /// Ends the alarm.
    func stop() {
        let alarm = drain.withLock { state in
            state.isStopped = true
            return state.alarm
        }
        alarm?.cancel()
    }
}
