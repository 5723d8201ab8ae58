public import HaloProtocol
public import HaloTransport

/// An LED strip or bulb with a Triones controller, as the HappyLighting app uses it.
///
///     let strip = try await LEDStrip.connect(over: transport)
///     try await strip.turnOn()
///     try await strip.set(LEDColour(parsing: "#FF8000"), brightness: 0.5)
///     try await strip.fade(to: .black, over: .seconds(10))
///
/// Colours may come faster than the strip takes them, as from a colour picker: at most 25 a second
/// are written, and the last one always is. ``show(_:)`` returns at once, ``follow(_:)`` takes
/// any sequence of colours.
///
/// The strip confirms no command and reports no change. Only ``state()`` asks it; ``states`` asks
/// for as long as there is a loop. After a lost link the strip is reconnected to by the rules of
/// ``LEDStripOptions/reconnect``: requests end with ``DeviceError/Kind/disconnected``, sequences
/// wait and continue, and the last colour of ``show(_:)`` is written to the new link. A strip is
/// disconnected when neither it nor one of its sequences or their iterators is held any more.
public final class LEDStrip: ClientDevice {
    static let noun = "LED strip"
    let connection: DeviceConnection<LEDStripClient>
    /// The options of the connection.
    public let options: LEDStripOptions

    init(
        to identity: PeripheralIdentity, over transport: any BLETransport,
        _ options: LEDStripOptions
    ) {
        self.options = options
        connection = DeviceConnection(
            to: identity, over: transport, reconnect: options.reconnect,
            bufferLimit: options.bufferLimit, LEDStripClient(options))
    }

    deinit { connection.release() }

    // MARK: Light

    /// Turns the strip on.
    public nonisolated(nonsending) func turnOn() async throws(DeviceError) {
        try await write(.power, LEDStripCommand.Switch(.on))
    }

    /// Turns the strip off.
    public nonisolated(nonsending) func turnOff() async throws(DeviceError) {
        try await write(.power, LEDStripCommand.Switch(.off))
    }

    /// Sets a colour, and returns when it, or a later one in its place, is written.
    ///
    /// - Parameter brightness: From 0 to 1; the strip has none, so the colour is darkened.
    public nonisolated(nonsending) func set(
        _ colour: LEDColour, brightness: Double = 1
    ) async throws(DeviceError) {
        try await write(.light, LEDStripCommand.Colour(colour.dimmed(to: brightness)))
    }

    /// Sets the white lamp, and returns when it is written. A strip without one stays dark.
    ///
    /// - Parameter brightness: From 0 to 1.
    public nonisolated(nonsending) func setWhite(
        brightness: Double = 1
    ) async throws(DeviceError) {
        let level = LEDColour.white.dimmed(to: brightness).red
        try await write(.light, LEDStripCommand.Colour(white: level))
    }

    /// Starts an animation of the controller, and returns when it is written.
    ///
    /// ``/HaloProtocol/LEDStripMode/steady`` is not an animation, and throws
    /// ``DeviceError/Kind/notSupported``.
    ///
    /// - Parameter speed: The time per step: 1 is the fastest, and 0 is taken for it. The vendor's
    ///   app sends up to 31.
    public nonisolated(nonsending) func start(
        _ mode: LEDStripMode, speed: UInt8
    ) async throws(DeviceError) {
        guard mode != .steady else {
            throw DeviceError(.notSupported, command: LEDStripCommand.Show.name.subject)
        }
        try await write(.light, LEDStripCommand.Show(mode, speed: max(speed, 1)))
    }

    /// Restores the light and the power that a state has reported. The last colour of an animation
    /// is left out.
    ///
    /// A mode that is not known throws ``DeviceError/Kind/notSupported``, after the power is set.
    public nonisolated(nonsending) func restore(
        _ state: LEDStripState
    ) async throws(DeviceError) {
        if state.isOn == true { try await turnOn() }
        switch state.light {
        case .colour(let colour): try await set(colour)
        case .white(let level):
            let level = UInt8(clamping: level)
            try await write(.light, LEDStripCommand.Colour(white: level))
        case .animation(let mode, let speed):
            try await start(mode, speed: UInt8(clamping: speed))
        case .unknown: break
        }
        // A strip that is off may take no light.
        if state.isOn == false { try await turnOff() }
        if case .unknown = state.light {
            throw DeviceError(.notSupported, command: LEDStripCommand.Show.name.subject)
        }
    }

    /// Sets the strip's clock to the local time of this computer.
    public nonisolated(nonsending) func setClock() async throws(DeviceError) {
        try await write(.clock, LEDStripClock(time.wallClock().local))
    }

    /// Shows a colour as soon as the strip takes it, and returns at once.
    ///
    /// Of several colours only the last one is written, at the latest two
    /// ``LEDStripOptions/frameInterval`` after the call; while the link is lost, with the next one.
    /// A colour that the strip refuses is written again, up to three times. If the link is lost
    /// within 32 s, and no status has come meanwhile, the colour may have been lost with it: it is
    /// written again to the next link.
    public func show(_ colour: LEDColour) {
        connection.withClient { client, context in
            client.submit(
                .light, LEDStripCommand.Colour(colour).bytes, isKept: true, nil, &context)
        }
    }

    /// Shows each colour of a sequence as it comes, with ``show(_:)``.
    ///
    /// It returns when the sequence has ended and the last colour, or a later light, is written; it
    /// waits for the next link if necessary. It throws the error of the sequence. It throws a
    /// ``DeviceError`` if its task is cancelled, and if the connection is closed; the latter is
    /// noticed at the next colour, or at the end.
    public nonisolated(nonsending) func follow<Colours: AsyncSequence>(
        _ colours: Colours
    ) async throws where Colours.Element == LEDColour {
        for try await colour in colours {
            if Task.isCancelled { throw DeviceError.taskCancelled }
            if case .disconnected(let error) = connectionState { throw error }
            show(colour)
        }
        try await whileReconnecting { () async throws(DeviceError) in
            try await wait { client, waiter, _ in client.awaitLight(waiter) }
        }
    }

    /// Calls a function again on the next link, as long as it fails because the link was lost.
    nonisolated(nonsending) func whileReconnecting(
        _ body: nonisolated(nonsending) () async throws(DeviceError) -> Void
    ) async throws(DeviceError) {
        while true {
            do throws(DeviceError) {
                return try await body()
            } catch {
                guard error.kind == .disconnected else { throw error }
                try await waitUntilConnected()
            }
        }
    }

    private nonisolated(nonsending) func write(
        _ kind: LEDStripClient.Kind, _ packet: some BytePacket
    ) async throws(DeviceError) {
        let name = type(of: packet).name.subject
        do throws(DeviceError) {
            try await wait { client, waiter, context in
                client.submit(kind, packet.bytes, isKept: false, waiter, &context)
            }
        } catch {
            var error = error
            error.command = name
            throw error
        }
    }

    private nonisolated(nonsending) func wait<Value: Sendable>(
        _ submit:
            @escaping (
                inout LEDStripClient, Promise<Value, DeviceError>, inout LEDStripClient.Context
            ) -> Void
    ) async throws(DeviceError) -> Value {
        try await connection.wait { waiter, state in
            if let refusal = state.refusal {
                waiter.resolve(.failure(refusal))
            } else {
                connection.withClient(&state) { submit(&$0, waiter, &$1) }
            }
        } forget: { connection, waiter, state in
            connection.withClient(&state) { client, _ in client.forget(waiter) }
        }
    }
}

// MARK: - The connection

extension LEDStrip {
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

extension LEDStripCommand.Colour {
    fileprivate init(_ colour: LEDColour) {
        self.init(red: colour.red, green: colour.green, blue: colour.blue)
    }
}

extension LEDColour {
    /// The colour at a part of its brightness, from 0 to 1; what is no number is 0.
    func dimmed(to brightness: Double) -> LEDColour {
        guard brightness > 0 else { return .black }
        return dimmed(toThousandths: Int((min(brightness, 1) * 1000).rounded()))
    }
}

// MARK: - State

extension LEDStrip {
    /// Requests the state of the strip.
    ///
    /// A strip without the characteristic throws ``DeviceError/Kind/notSupported``.
    public nonisolated(nonsending) func state() async throws(DeviceError) -> LEDStripState {
        try await wait { $0.requestStatus($1, &$2) }
    }

    /// The states of the strip: the current one first, then each change.
    ///
    /// The strip is asked when a loop begins, after commands of this object, and every
    /// ``LEDStripOptions/statusInterval``, because a remote control may change it. The sequence
    /// ends as ``DeviceUpdates`` describes.
    public var states: DeviceUpdates<LEDStripState> {
        DeviceUpdates { [self] in
            Loop(connection, holding: self, .waits, among: \.client.states) { number, state in
                connection.withClient(&state) { $0.follow(number, &$1) }
            }
        }
    }
}

extension LEDColour: Codable {
    /// Decodes a colour from six hexadecimal digits with `#`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: error.description)
        }
    }

    /// Encodes the colour as `#FF8000`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}

extension LEDStripMode: Codable {}

// MARK: - Connecting

extension LEDStrip {
    /// Scans for LED strips, and returns the one with the strongest signal.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport, options: LEDStripOptions = LEDStripOptions()
    ) async throws(DeviceError) -> Discovery {
        var finder = DeviceFinder(
            of: .ledStrip, over: transport, timeout: options.findTimeout,
            window: options.findWindow)
        return try await finder.best()
    }

    /// Connects to the strip that ``find(over:options:)`` would return.
    ///
    /// After a device that turns out not to be a strip, the next one is tried. The longest time of
    /// the call is ``LEDStripOptions/findTimeout`` plus twice ``LEDStripOptions/connectTimeout``.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport, options: LEDStripOptions = LEDStripOptions()
    ) async throws(DeviceError) -> LEDStrip {
        var finder = DeviceFinder(
            of: .ledStrip, over: transport, timeout: options.findTimeout,
            window: options.findWindow)
        return try await finder.connect(within: options.connectTimeout) {
            LEDStrip(to: $0.identity, over: transport, options)
        }
    }

    /// Connects to a strip by its identity. A device that is not a strip throws
    /// ``DeviceError/Kind/wrongDevice``.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: LEDStripOptions = LEDStripOptions()
    ) async throws(DeviceError) -> LEDStrip {
        try await LEDStrip(to: identity, over: transport, options)
            .connected(within: options.connectTimeout)
    }
}
