public import HaloDevices
public import HaloProtocol
public import HaloTransport

/// A sync of a ring: finds it, reads what is new, and keeps that in a ``HealthStore``.
///
///     let sync = HealthSync(into: store, over: transport)
///     let outcome = try await sync.run()
///     print(outcome.changes)
///
/// - **What is new** are the days since the last read (``HealthRing/nextDay``), of a ring that the
///   file does not have all that it holds.
/// - **After a lost link** the sync waits for the ring, and continues where it stopped.
/// - **The values of a clock that shows another day** are in the file before the clock is set. So
///   nothing is lost at whatever moment the program ends. It is set while connecting, or after the
///   read if `connectTimeout` does not suffice to read the values before.
/// - **A day more or less may also be another time zone**, where the clock was right: the values
///   keep their times then, `HealthChanges.Notice.clockMayBeOfOtherZone`. An app that knows where
///   the ring was sets `earlierZone` of the ``options`` before the first sync: then such a clock
///   was wrong, and its values are moved to the right days.
/// - **A task that is cancelled** keeps what has come; the next sync reads the rest.
public struct HealthSync: Sendable {
    /// A step of a sync.
    public enum Progress: Hashable, Sendable {
        /// Rings are being searched for.
        case finding
        /// The ring with a name and an identity is being connected to. The values of a wrong clock
        /// are read, kept, and the clock is set.
        case connecting(name: String?, PeripheralIdentity)
        /// A part of the history was read.
        case reading(HistoryProgress)
        /// The link was lost, and the ring is being waited for.
        case reconnecting
    }

    /// The result of a sync.
    public struct Outcome: Sendable {
        /// The values, with all that was read beside them.
        public let read: HealthRead
        /// The first requested day; `nil` if all days were requested.
        public let since: CivilDate?
        /// What the sync has changed in the file.
        public let changes: HealthChanges
        /// The number of links that were lost while the history was read.
        public let lostLinks: Int

        /// `true` if no request has failed: all that is new was read.
        public var isComplete: Bool { read.history.isComplete }
    }

    /// The ring; `nil` for the one that `Ring.find(over:options:)` returns.
    public var ring: PeripheralIdentity?
    /// The options of the connection. Clocks that the file has come before their
    /// `earlierClocks`, and `keepBeforeClockChange` is that of the sync. An `earlierZone` counts
    /// for the time before the first known clock.
    public var options: RingOptions
    /// `true` to request all days again, and not only those that are new.
    public var readsAll = false
    /// The longest time for which a ring is waited for whose link was lost.
    public var patience: Duration = .seconds(120)
    /// The ring, with its name; it counts before ``ring``.
    package var discovery: RingDiscovery?
    /// Returns the recorded link, for `HealthRead.capture`.
    package var capture: (@Sendable () -> String)?

    private let transport: any BLETransport
    /// The file, or `nil` for one that is made when there is something to keep.
    private let existing: HealthStore?
    private let open: @Sendable () throws(HealthStoreError) -> HealthStore

    /// The days that are requested of a new ring. Days that no ring is known to hold are requested
    /// only until the first one without values.
    package static let mostDays = 30

    /// Creates a sync of a ring, or of the nearest one.
    public init(
        into store: HealthStore, over transport: some BLETransport,
        ring: PeripheralIdentity? = nil, options: RingOptions = RingOptions()
    ) {
        self.init(into: store, orInto: { store }, over: transport, options: options)
        self.ring = ring
    }

    /// Creates a sync into a file that may have to be made, when there is something to keep.
    package init(
        into existing: HealthStore?,
        orInto open: @escaping @Sendable () throws(HealthStoreError) -> HealthStore,
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) {
        self.existing = existing
        self.open = open
        self.transport = transport
        self.options = options
    }

    /// Syncs, and disconnects from the ring. Throws if nothing could be read; what a wrong clock
    /// had stored may be in the file then.
    ///
    /// - Parameter progress: Called on the caller's actor after each step.
    @discardableResult
    public nonisolated(nonsending) func run(
        progress: (Progress) -> Void = { _ in }
    ) async throws(HealthSyncError) -> Outcome {
        if discovery == nil, ring == nil { progress(.finding) }
        let found = try await found()
        progress(.connecting(name: found?.name, found?.identity ?? ring ?? .none))
        let connection = try await connected(to: found)
        let result: Result<Outcome, HealthSyncError>
        do throws(HealthSyncError) {
            result = .success(try await read(connection, progress: progress))
        } catch {
            result = .failure(error)
        }
        // A cancelled task does not wait, so another one does.
        if Task.isCancelled {
            await Task { await connection.ring.disconnect() }.value
        } else {
            await connection.ring.disconnect()
        }
        return try result.get()
    }

    /// A connected ring, of which what a wrong clock had stored is in the file.
    package struct Connection: Sendable {
        package let ring: Ring
        fileprivate let since: CivilDate?
        fileprivate let keeper: Keeper
    }

    /// Connects to ``discovery`` or ``ring``.
    package nonisolated(nonsending) func connect() async throws(HealthSyncError) -> Connection {
        try await connected(to: discovery)
    }

    private nonisolated(nonsending) func found() async throws(HealthSyncError) -> RingDiscovery? {
        if discovery != nil || ring != nil { return discovery }
        do throws(DeviceError) {
            return try await Ring.find(over: transport, options: options)
        } catch {
            throw HealthSyncError(error)
        }
    }

    private nonisolated(nonsending) func connected(
        to found: RingDiscovery?
    ) async throws(HealthSyncError) -> Connection {
        let identity = found?.identity ?? ring ?? .none
        let known: HealthRing?
        do throws(HealthStoreError) {
            known = try existing?.ring(identity)
        } catch {
            throw HealthSyncError(error)
        }
        let keeper = Keeper(existing, open)
        var options = options
        if let clocks = known?.clocks, !clocks.isEmpty { options.earlierClocks = clocks }
        if let zone = options.earlierZone, options.earlierClocks.first?.since != nil {
            let seconds = zone.secondsFromUTC(transport.time.wallClock())
            options.earlierClocks.insert(RingClock(secondsFromUTC: seconds, wasSet: false), at: 0)
        }
        options.keepBeforeClockChange = { old in _ = try keeper.keep(HealthRead(old)) }
        let ring = try await connected(to: found, identity, options, keeper)
        return Connection(ring: ring, since: readsAll ? nil : known?.nextDay, keeper: keeper)
    }

    private nonisolated(nonsending) func connected(
        to found: RingDiscovery?, _ identity: PeripheralIdentity, _ options: RingOptions,
        _ keeper: Keeper
    ) async throws(HealthSyncError) -> Ring {
        do throws(DeviceError) {
            if let found {
                return try await Ring.connect(to: found, over: transport, options: options)
            }
            return try await Ring.connect(to: identity, over: transport, options: options)
        } catch {
            throw keeper.error.map { HealthSyncError($0) } ?? HealthSyncError(error)
        }
    }

    /// Reads what is new, and keeps it.
    package nonisolated(nonsending) func read(
        _ connection: Connection, progress: (Progress) -> Void
    ) async throws(HealthSyncError) -> Outcome {
        let (ring, keeper) = (connection.ring, connection.keeper)
        // The clock was left alone, so the ring still has its values.
        if let error = keeper.error { throw HealthSyncError(error) }
        var lostLinks = 0
        var history: RingHistory
        do throws(DeviceError) {
            history = try await ring.historyAcrossLinks(
                since: connection.since, orDays: Self.mostDays, waiting: patience,
                progress: { progress(.reading($0)) },
                linkLost: {
                    lostLinks += 1
                    progress(.reconnecting)
                })
        } catch {
            throw HealthSyncError(error)
        }
        if !history.isComplete, !Task.isCancelled {
            history = (try? await ring.retry(history)) ?? history
        }
        let isLost = history.failures.contains { $0.error.kind == .disconnected }
        let patience = isLost ? .zero : patience
        let battery = await ring.value(waiting: patience) { (ring) async throws(DeviceError) in
            try await ring.battery()
        }
        let settings = await ring.value(waiting: patience) { (ring) async throws(DeviceError) in
            try await ring.healthSettings()
        }
        var read = HealthRead(ring, history, battery: battery, settings: settings ?? [:])
        read.capture = capture?()
        do throws(HealthStoreError) {
            let changes = try await keep(&read, of: ring, by: keeper)
            return Outcome(
                read: read, since: connection.since, changes: changes, lostLinks: lostLinks)
        } catch {
            throw HealthSyncError(error)
        }
    }

    /// Keeps a read, and sets a clock that still shows another day, with what was to be read of it
    /// in the file.
    private nonisolated(nonsending) func keep(
        _ read: inout HealthRead, of ring: Ring, by keeper: Keeper
    ) async throws(HealthStoreError) -> HealthChanges {
        let isEarly =
            Task.isCancelled
            || read.history.failures.contains { $0.error.kind == .disconnected }
        guard case .set(let zone) = options.clock, read.history.clockShift != nil, !isEarly else {
            return try keeper.keep(read)
        }
        let wallClock = transport.time.wallClock()
        let seconds = zone.secondsFromUTC(wallClock)
        read.rightTime = WallClock(
            local: wallClock.utc.advanced(bySeconds: seconds), secondsFromUTC: seconds)
        // A program that ends after the clock is set knows of it by these.
        read.clocks = ring.clocks(whileSetting: zone)
        let changes = try keeper.keep(read)
        guard (try? await ring.setClock(zone)) != nil else { return changes }
        read.clocks = ring.clocks
        return try keeper.keep(read)
    }
}

/// The addition of one read to a file, in parts.
private final class Keeper: Sendable {
    private struct State {
        var store: HealthStore?
        var part: HealthReadPart?
        var error: HealthStoreError?
    }

    private let open: @Sendable () throws(HealthStoreError) -> HealthStore
    private let state: Locked<State>

    init(
        _ store: HealthStore?,
        _ open: @escaping @Sendable () throws(HealthStoreError) -> HealthStore
    ) {
        self.open = open
        state = Locked(State(store: store))
    }

    /// The error of the last part.
    var error: HealthStoreError? { state.withLock { $0.error } }

    /// Adds a part, and returns the changes of all parts.
    func keep(_ read: HealthRead) throws(HealthStoreError) -> HealthChanges {
        try state.withLock { (state) throws(HealthStoreError) in
            do throws(HealthStoreError) {
                let store = if let known = state.store { known } else { try open() }
                let part = try store.addPart(read, completing: state.part)
                state = State(store: store, part: part)
                return part.changes
            } catch {
                state.error = error
                throw error
            }
        }
    }
}

extension PeripheralIdentity {
    /// The identity of no device: one is given or found.
    fileprivate static var none: PeripheralIdentity { PeripheralIdentity("") }
}

extension Ring {
    /// Reads a value, again after a lost link; `nil` if the ring does not send it, or stays away.
    fileprivate nonisolated(nonsending) func value<Value>(
        waiting patience: Duration,
        _ body: nonisolated(nonsending) (Ring) async throws(DeviceError) -> Value
    ) async -> Value? {
        for _ in 0..<3 {
            do throws(DeviceError) {
                return try await body(self)
            } catch {
                guard error.kind == .disconnected, patience > .zero,
                    (try? await waitUntilConnected(within: patience)) != nil
                else { return nil }
            }
        }
        return nil
    }
}
