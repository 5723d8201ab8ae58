public import HaloProtocol
public import HaloTransport

/// A ring, as an app holds it.
///
///     let ring = try await Ring.connect(over: transport)
///     print(try await ring.battery())
///
/// Everything can be asked at once and from anywhere: one request at a time goes to the ring, the
/// others wait. A task that is cancelled while it waits goes on at once with
/// ``DeviceError/Kind/cancelled``. When the link is lost, what was asked ends with
/// ``DeviceError/Kind/disconnected``, and so does what is asked until it is made again; sequences
/// wait for that and go on. After ``disconnect()`` everything ends at once, loops quietly. A ring
/// that nobody holds any more, nor a sequence of it, is disconnected.
public final class Ring: Sendable {
    let connection: DeviceConnection<RingClient>
    /// The options with which it was connected to.
    public let options: RingOptions

    init(to identity: PeripheralIdentity, over transport: any BLETransport, _ options: RingOptions)
    {
        self.options = options
        let transport = options.observer.map { Self.traced(transport, $0) } ?? transport
        connection = DeviceConnection(
            to: identity, over: transport, reconnect: options.reconnect,
            bufferLimit: options.bufferLimit, RingClient(options, transport.time.wallClock()))
    }

    private static func traced(
        _ transport: some BLETransport, _ observer: @escaping LinkObserver
    ) -> any BLETransport {
        TracedTransport(transport, observer)
    }

    deinit { connection.disconnect() }

    /// The device at the other end, by which it can be connected to again.
    public var identity: PeripheralIdentity { connection.identity }

    /// The time that passes where the ring is.
    public var time: any TransportTime { connection.time }

    /// The current connection state.
    public var connectionState: ConnectionState { connection.connectionState }

    /// The connection state, now and after each change, until the ring is disconnected for
    /// good.
    public var connectionStates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in connection.stateLoop(holding: self) }
    }

    /// Waits until the ring can be asked; throws if it never will be again.
    public nonisolated(nonsending) func connected() async throws(DeviceError) {
        try await connection.waitUntilConnected()
    }

    /// The link as it is now, for what a ring does not offer; `nil` while there is none.
    public var link: BLELink? { connection.link }

    /// The abilities that the ring has told of.
    public var capabilities: Capabilities { connection.knowledge.capabilities }

    /// The dialect of the protocol that the ring speaks.
    public var dialect: Dialect { connection.knowledge.dialect }

    /// The version of the firmware; `nil` if the ring does not say, or says something else.
    public var firmware: FirmwareVersion? { connection.knowledge.firmware }

    /// The version of the circuit board; `nil` if the ring does not say, or says something else.
    public var hardware: HardwareVersion? { connection.knowledge.hardware }

    /// The ring's clock, as far as it is known.
    public var clock: RingClock { connection.knowledge.clock }

    /// The clocks that the ring has had, the earliest first, with the one that it has: those of
    /// ``RingOptions/earlierClocks``, and those that were set since.
    ///
    /// An app that keeps them, and hands them over when it connects again, gets to know when in
    /// UTC something was stored, also where the time zone has changed since.
    public var clocks: [RingClock] { connection.knowledge.clocks.clocks }

    /// The history that was read with the old clock, before the new one was set; `nil` if the old
    /// one showed the same day, or was left.
    ///
    /// If its ``RingHistory/failures`` say that reading took too long, the new clock was not set.
    public var readBeforeClockWasSet: RingHistory? {
        connection.read { $0.client.orphans }
    }

    /// The events that the ring tells of unasked, in order.
    public var events: DeviceUpdates<Event> {
        DeviceUpdates(gap: { .missed($0) }) { [self] in
            Loop(connection, holding: self, .listens) { $0(&$1.client.events, &$1.turn) }
        }
    }

    /// Closes the link, for good, and returns when it is closed.
    public nonisolated(nonsending) func disconnect() async {
        await connection.disconnectAndWait()
    }
}

extension Ring: CustomStringConvertible {
    /// The identity and the connection state.
    public var description: String {
        "ring \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }
}

extension Ring {
    /// Listens for rings, and gives the one that is most surely a ring; of equally sure ones, that
    /// with the strongest signal.
    ///
    /// It goes on listening for ``RingOptions/findWindow`` after the first one. Rings are told from
    /// other devices by what they advertise, and that is no proof: only connecting shows whether
    /// it is one. ``Discovery/recognition`` says how sure that is, and why.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Discovery {
        var finder = DeviceFinder(ringsOver: transport, options)
        return try await finder.best()
    }

    /// Connects to the ring that is found; see ``find(over:options:)``.
    ///
    /// A device that turns out to be another one makes room for the next: first for those that
    /// were heard besides, then for those that are heard while ``RingOptions/findTimeout`` lasts.
    /// A ring that cannot be connected to makes room only for those that were heard besides.
    /// ``DeviceError/Kind/wrongDevice`` means that all that seemed to be rings were none.
    ///
    /// It takes no longer than ``RingOptions/findTimeout`` and twice
    /// ``RingOptions/connectTimeout``: once for the first device, once for all others together.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        var finder = DeviceFinder(ringsOver: transport, options)
        return try await finder.connect(within: options.connectTimeout) {
            (identity, timeout) async throws(DeviceError) in
            let ring = Ring(to: identity, over: transport, options)
            try await ring.connection.connect(within: timeout)
            return ring
        }
    }

    /// Connects to a ring that is known.
    ///
    /// When it returns, the device has shown the service of a ring (or the call throws
    /// ``DeviceError/Kind/wrongDevice``), and it has been told to send its answers (or the call
    /// throws ``DeviceError/Kind/connectTimedOut``). As far as the ring has answered within
    /// ``RingOptions/connectTimeout``, its firmware is known, its clock is as
    /// ``RingOptions/clock`` wants it, and it has said what it can do.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        let ring = Ring(to: identity, over: transport, options)
        try await ring.connection.connect(within: options.connectTimeout)
        return ring
    }
}

/// Connects to the ring that is found, and disconnects when the body is left, in whichever way.
///
///     try await withRing(over: transport) { ring in
///         print(try await ring.battery())
///     }
public nonisolated(nonsending) func withRing<Value>(
    over transport: some BLETransport, options: RingOptions = RingOptions(),
    _ body: nonisolated(nonsending) (Ring) async throws -> Value
) async throws -> Value {
    let ring = try await Ring.connect(over: transport, options: options)
    return try await using(ring, body) { await $0.disconnect() }
}

/// Connects to a ring that is known, and disconnects when the body is left, in whichever way.
public nonisolated(nonsending) func withRing<Value>(
    _ identity: PeripheralIdentity, over transport: some BLETransport,
    options: RingOptions = RingOptions(),
    _ body: nonisolated(nonsending) (Ring) async throws -> Value
) async throws -> Value {
    let ring = try await Ring.connect(to: identity, over: transport, options: options)
    return try await using(ring, body) { await $0.disconnect() }
}

extension DeviceFinder {
    /// A search for rings.
    fileprivate init(ringsOver transport: some BLETransport, _ options: RingOptions) {
        self.init(
            transport, .all, timeout: options.findTimeout, window: options.findWindow
        ) { discovery in
            let recognition = discovery.recognition
            let mayBeRing = discovery.isConnectable != false && recognition.verdict == .ring
            return mayBeRing ? recognition.confidence : nil
        }
    }
}
