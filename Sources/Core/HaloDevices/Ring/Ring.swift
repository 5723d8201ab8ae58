public import HaloProtocol
public import HaloTransport

/// A connection of an app to a ring.
///
///     let ring = try await Ring.connect(over: transport)
///     print(try await ring.battery())
///
/// Any task may send requests at any time: one request at a time is sent to the ring, the others
/// wait. A task that is cancelled while it waits continues at once with
/// ``DeviceError/Kind/cancelled``. When the link is lost, requests end with
/// ``DeviceError/Kind/disconnected`` until the ring is connected again; sequences wait and
/// continue. After ``disconnect()`` every request fails, and every loop ends. A ring is
/// disconnected when neither it nor one of its sequences or their iterators is held any more.
public final class Ring: ClientDevice {
    static let noun = "ring"
    let connection: DeviceConnection<RingClient>
    /// The options of the connection.
    public let options: RingOptions
    /// The name that the ring advertised, or `nil` if it was connected to by its identity alone.
    public let name: String?

    private let transport: any BLETransport

    /// - Parameter history: The values that an earlier attempt has read.
    init(
        to identity: PeripheralIdentity, named name: String? = nil,
        over transport: any BLETransport, _ options: RingOptions, after history: RingHistory? = nil
    ) {
        self.options = options
        self.name = name
        self.transport = transport
        var client = RingClient(options, named: name, transport.time.wallClock())
        client.historyBeforeClockChange = history
        connection = DeviceConnection(
            to: identity, over: options.observer.map { Self.traced(transport, $0) } ?? transport,
            reconnect: options.reconnect, bufferLimit: options.bufferLimit, client)
    }

    /// Another attempt follows one whose link was lost, as often and as late as the policy for
    /// reconnecting says. It also follows any error after the clock was sent: the values that were
    /// read before are out of the ring's reach then, and may be nowhere else.
    func successor(
        after error: DeviceError, attempt: Int
    ) -> (device: Ring, delay: Duration)? {
        guard error.isTransient else { return nil }
        let client = connection.read { $0.client }
        let history = client.historyTimedOut ? nil : client.historyBeforeClockChange
        let hasOpened = connection.read { $0.firstDeadline != nil }
        let isLost = error.kind == .disconnected && (hasOpened || attempt > 0)
        var delay = isLost ? options.reconnect.delay(beforeAttempt: attempt) : nil
        // While Bluetooth is off, each attempt fails at once.
        if history != nil { delay = error.kind == .bluetoothOff ? .seconds(1) : .zero }
        guard let delay else { return nil }
        var options = options
        options.earlierClocks = clocks
        let ring = Ring(to: identity, named: name, over: transport, options, after: history)
        return (ring, delay)
    }

    private static func traced(
        _ transport: some BLETransport, _ observer: @escaping LinkObserver
    ) -> any BLETransport {
        TracedTransport(transport, observer)
    }

    deinit { connection.release() }

    /// The abilities that the ring has reported.
    public var capabilities: Capabilities { connection.knowledge.capabilities }

    /// The dialect of the protocol that the ring speaks.
    public var dialect: Dialect { connection.knowledge.dialect }

    /// The version of the firmware; `nil` if the ring reports none that is described.
    public var firmware: FirmwareVersion? { connection.knowledge.firmware }

    /// The version of the circuit board; `nil` if the ring reports none that is described.
    public var hardware: HardwareVersion? { connection.knowledge.hardware }

    /// The ring's clock, as far as it is known.
    public var clock: RingClock { connection.knowledge.clock }

    /// All known clocks of the ring, the earliest first: ``RingOptions/earlierClocks``, and the
    /// clocks that were set since.
    ///
    /// Store them, and set them as ``RingOptions/earlierClocks`` of the next connection: then the
    /// times of stored values in UTC are known, even after a change of the time zone.
    public var clocks: [RingClock] { connection.knowledge.clocks.clocks }

    /// The difference between the ring's clock and the time that it should show, if the ring has
    /// reported another day since its clock was last set; otherwise `nil`.
    ///
    /// Such a clock is left alone, unless its values can be kept before it is set:
    /// ``RingOptions/keepBeforeClockChange``.
    public var clockShift: ClockShift? {
        let knowledge = connection.knowledge
        guard let sighting = knowledge.sighting else { return nil }
        let expected = ExpectedTime(knowledge.clock, time.wallClock(), at: time.now())
        return knowledge.shift(of: sighting, from: expected)
    }

    /// The history that was read before the clock was set; `nil` if the old clock showed the same
    /// day, or was left alone.
    ///
    /// Its dates are those of the old clock. ``RingHistory/clockShift`` has the difference to the
    /// right ones, and ``RingHistory/moved(byDays:)`` corrects it. Later histories leave these
    /// values out.
    ///
    /// If its ``RingHistory/failures`` have a timeout, the clock was not set. Nor was it if
    /// ``RingOptions/keepBeforeClockChange`` has thrown.
    public var historyBeforeClockChange: RingHistory? {
        connection.read { $0.client.historyBeforeClockChange }
    }

    /// The unsolicited reports of the ring, in order.
    public var events: DeviceUpdates<Event> {
        DeviceUpdates { [self] in
            Loop(connection, holding: self, .listens, among: \.client.events)
        }
    }

    // MARK: Finding and connecting

    /// Scans for the rings nearby, until the sequence is dropped.
    ///
    ///     for try await found in Ring.scan(over: transport) {
    ///         print(found.name ?? "no name", found.confidence, found.rssi ?? 0)
    ///     }
    public static func scan(over transport: some BLETransport) -> RingScan {
        RingScan(DeviceUpdates(transport.scan())) { RingDiscovery($0) }
    }

    /// Scans for rings, and returns the most certain one; of equally certain ones, the one with the
    /// strongest signal.
    ///
    /// The scan continues for ``RingOptions/findWindow`` after the first ring.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> RingDiscovery {
        var finder = DeviceFinder(ringsOver: transport, options)
        guard let ring = RingDiscovery(try await finder.best()) else {
            throw DeviceError(.notFound)
        }
        return ring
    }

    /// Connects to the ring that ``find(over:options:)`` would return.
    ///
    /// After a device that turns out to be no ring, the next one is tried: first the devices that
    /// are already discovered, then those that are discovered within ``RingOptions/findTimeout``.
    /// After an advertising ring that cannot be connected to, only devices that are already
    /// discovered are tried. ``DeviceError/Kind/wrongDevice`` means that no device that looked like
    /// a ring was one.
    ///
    /// The longest time of the call is ``RingOptions/findTimeout`` plus twice
    /// ``RingOptions/connectTimeout``: once for the first device, once for all others together.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        var finder = DeviceFinder(ringsOver: transport, options)
        return try await finder.connect(within: options.connectTimeout) {
            Ring(to: $0.identity, named: $0.name, over: transport, options)
        }
    }

    /// Connects to a discovered ring, as ``connect(to:over:options:)-(PeripheralIdentity,_,_)``
    /// does.
    public static nonisolated(nonsending) func connect(
        to found: RingDiscovery, over transport: some BLETransport,
        options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        try await Ring(to: found.identity, named: found.name, over: transport, options)
            .connected(within: options.connectTimeout)
    }

    /// Connects to a ring by its identity.
    ///
    /// When the call returns, the device has the service of a ring, and its replies are subscribed
    /// to. If the ring has replied within ``RingOptions/connectTimeout``, its firmware and
    /// abilities are known, and its clock is as ``RingOptions/clock`` demands. A device without the
    /// service throws ``DeviceError/Kind/wrongDevice``. A device that cannot be subscribed to in
    /// time throws ``DeviceError/Kind/timedOut``. After a link that is lost before, the call
    /// connects again, for the same time once more, with the delays of ``RingOptions/reconnect``,
    /// and keeps the
    /// values of a wrong clock that were read for ``historyBeforeClockChange``. With
    /// ``ReconnectPolicy/never``, it throws ``DeviceError/Kind/disconnected``.
    ///
    /// Connect once, and share the ring: while there is a link to it, another call over the same
    /// transport throws ``DeviceError/Kind/bluetooth``, and the kind of its
    /// ``DeviceError/bleError`` is `alreadyConnected`.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        try await Ring(to: identity, over: transport, options)
            .connected(within: options.connectTimeout)
    }
}

/// Finds and connects to a ring, and disconnects when the body returns or throws.
///
///     try await withRing(over: transport) { ring in
///         print(try await ring.battery())
///     }
public nonisolated(nonsending) func withRing<Value>(
    over transport: some BLETransport, options: RingOptions = RingOptions(),
    _ body: nonisolated(nonsending) (Ring) async throws -> Value
) async throws -> Value {
    let ring = try await Ring.connect(over: transport, options: options)
    return try await using(ring, body)
}

/// Connects to a ring by its identity, and disconnects when the body returns or throws.
public nonisolated(nonsending) func withRing<Value>(
    _ identity: PeripheralIdentity, over transport: some BLETransport,
    options: RingOptions = RingOptions(),
    _ body: nonisolated(nonsending) (Ring) async throws -> Value
) async throws -> Value {
    let ring = try await Ring.connect(to: identity, over: transport, options: options)
    return try await using(ring, body)
}

extension DeviceFinder {
    fileprivate init(ringsOver transport: some BLETransport, _ options: RingOptions) {
        self.init(
            transport, .all,
            // A ring that is a mouse may be known to the system by that service alone.
            connected: [RingServices.uart, RingServices.bigData, StandardServices.humanInterface],
            timeout: options.findTimeout, window: options.findWindow
        ) { RingDiscovery($0)?.confidence }
    }
}

// MARK: - The connection

extension Ring {
    public var identity: PeripheralIdentity { connection.identity }
    public var time: any TransportTime { connection.time }
    public var link: BLELink? { connection.link }
    public var connectionState: ConnectionState { connection.connectionState }
    public var connectionStates: DeviceUpdates<ConnectionState> { connectionUpdates }
    /// The kind of device, the identity and the connection state.
    public var description: String { words }

    public nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await connection.waitUntilConnected()
    }

    public nonisolated(nonsending) func disconnect() async {
        await connection.disconnectAndWait()
    }
}

// MARK: - Requests of the protocol

/// Requests of the catalogue. The result is the ring's answer, which may be a refusal.
extension Ring {
    /// Sends a request whose reply is one frame.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a request whose reply has many frames.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Assembly.Reply>
    where Request.Owner: ManyFrameCommand {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a frame of a `RawCommand`, and returns the frame of the reply.
    ///
    /// A frame of another command is a ``DeviceError/Kind/badValue``: it has a request of its own,
    /// or is dangerous.
    public nonisolated(nonsending) func ask(
        raw frame: Frame
    ) async throws(DeviceError) -> Answer<Frame> {
        guard let request = RingRequest(raw: frame) else { throw DeviceError(.badValue) }
        return try await connection.ask(request)
    }

    /// Sends a frame of a `RawRecord`, and returns the frame of the reply.
    ///
    /// A frame of another record is a ``DeviceError/Kind/badValue``: it has a request of its own,
    /// or is dangerous.
    public nonisolated(nonsending) func ask(
        raw frame: BigDataFrame
    ) async throws(DeviceError) -> Answer<BigDataFrame> {
        guard let request = RingRequest(raw: frame) else { throw DeviceError(.badValue) }
        return try await connection.ask(request)
    }

    /// Sends a request for a record of the second service.
    public nonisolated(nonsending) func ask<Request: BigDataRequest>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply> {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a request for nights; the reply includes the naps.
    public nonisolated(nonsending) func ask(
        _ request: Sleep.Request
    ) async throws(DeviceError) -> Answer<SleepHistory> {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a request for temperatures, whose days come in one record or in several.
    public nonisolated(nonsending) func ask(
        _ request: TemperatureSeries.Request
    ) async throws(DeviceError) -> Answer<TemperatureSeries.Reply> {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a request for the samples of a workout, in all their records.
    public nonisolated(nonsending) func ask(
        _ request: WorkoutDetail.Request
    ) async throws(DeviceError) -> Answer<WorkoutRecording> {
        try await connection.ask(RingRequest(request))
    }

    /// Sends a request, and returns its value, or `nil` for "no data". A refusal is an error.
    nonisolated(nonsending) func value<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) -> Value? {
        switch try await connection.ask(request) {
        case .value(let value): return value
        case .noData: return nil
        case .refused: throw DeviceError(.notSupported, command: request.command)
        }
    }

    /// Sends a request, and returns its value. "No data" and a refusal are errors.
    nonisolated(nonsending) func require<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) -> Value {
        guard let value = try await value(request) else {
            throw DeviceError(.noData, command: request.command)
        }
        return value
    }
}

// MARK: - The ring itself

extension Ring {
    /// Reads the charge of the battery.
    public nonisolated(nonsending) func battery() async throws(DeviceError) -> BatteryCharge {
        BatteryCharge(try await require(RingRequest(Battery.Request())))
    }

    /// Reads the values of the ring's Device Information service. Values that the ring does not
    /// have, or refuses to send, are left out.
    public nonisolated(nonsending) func deviceInformation() async throws(DeviceError)
        -> DeviceInformation
    {
        try await connection.withLink { (link) async throws(BLEError) in
            try await link.deviceInformation()
        }
    }

    /// Turns the ring's green light on for about ten seconds.
    ///
    /// Rings are not known to reply, so a missing reply is not an error.
    public nonisolated(nonsending) func findMe() async throws(DeviceError) {
        try await send(RingRequest(FindDevice.Request()))
    }

    /// Blinks the ring's green light twice; the H59 band vibrates instead.
    ///
    /// Not all firmware replies, so a missing reply is not an error.
    public nonisolated(nonsending) func blink() async throws(DeviceError) {
        try await send(RingRequest(BlinkLight.Request()))
    }

    /// Sends a request that may have no reply, also again after one that had none.
    private nonisolated(nonsending) func send<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) {
        var request = request
        request.overtakesLateReplies = true
        do throws(DeviceError) {
            _ = try await value(request)
        } catch {
            guard error.kind == .timedOut, error.bleError == nil else { throw error }
        }
    }

    /// Sets the clock again, after a change of the wall clock or the time zone. Returns the
    /// abilities that the ring reports.
    ///
    /// Unlike connecting, the call reads no history first: stored values keep the day and the time
    /// of the old clock. If a read on this link has found that the clock shows a wrong day, later
    /// histories leave these values out.
    @discardableResult
    public nonisolated(nonsending) func setClock(
        _ zone: ClockPolicy.Zone = .local
    ) async throws(DeviceError) -> Capabilities {
        let wallClock = time.wallClock()
        let clock = zone.clock(at: wallClock)
        let request: SetTime.Request
        do throws(ValueError) {
            request = try SetTime.Request(
                time: clock.reading(wallClock), language: options.language)
        } catch {
            throw DeviceError(error, command: SetTime.name)
        }
        let answer = try await connection.ask(RingRequest(request), setting: clock)
        connection.withClient { $0.knowledge.endSetting(answer, at: $1.now) }
        switch answer {
        case .value: return capabilities
        case .refused: throw DeviceError(.notSupported, command: SetTime.name)
        case .noData: throw DeviceError(.noData, command: SetTime.name)
        }
    }

    /// Returns the clocks that are known of the ring while its clock is set, for a program that may
    /// end meanwhile: the new one is in doubt.
    package func clocks(whileSetting zone: ClockPolicy.Zone) -> [RingClock] {
        var knowledge = connection.knowledge
        knowledge.beginSetting(zone.clock(at: time.wallClock()), at: time.now())
        return knowledge.clocks.clocks
    }

    /// Pairs with the ring if a bond is known to be useful for it:
    /// ``/HaloProtocol/Dialect/bondIsUseful``.
    ///
    /// No ring demands a bond: all functions of this class work without one. Some rings are
    /// reported to be lost without a bond while a phone's app is in the background. Returns `false`
    /// if a bond is not known to be useful, or if the backend leaves pairing to the system.
    /// ``/HaloTransport/BLELink/pair()`` of ``link`` pairs with any device.
    @discardableResult
    public nonisolated(nonsending) func pairIfUseful() async throws(DeviceError) -> Bool {
        guard dialect.bondIsUseful.value == true else { return false }
        guard let link else { throw DeviceError(.disconnected) }
        do throws(BLEError) {
            try await link.pair()
        } catch {
            guard error.kind == .notSupported else { throw DeviceError(error) }
            return false
        }
        return true
    }
}
