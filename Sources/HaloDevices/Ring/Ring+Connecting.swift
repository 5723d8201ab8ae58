internal import HaloProtocol
public import HaloTransport

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
            let core = RingCore(identity, transport, options)
            try await core.connect(within: timeout)
            return Ring(core)
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
        let core = RingCore(identity, transport, options)
        try await core.connect(within: options.connectTimeout)
        return Ring(core)
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
    return try await ring.use(body)
}

/// Connects to a ring that is known, and disconnects when the body is left, in whichever way.
public nonisolated(nonsending) func withRing<Value>(
    _ identity: PeripheralIdentity, over transport: some BLETransport,
    options: RingOptions = RingOptions(),
    _ body: nonisolated(nonsending) (Ring) async throws -> Value
) async throws -> Value {
    let ring = try await Ring.connect(to: identity, over: transport, options: options)
    return try await ring.use(body)
}

extension Ring {
    nonisolated(nonsending) fileprivate func use<Value>(
        _ body: nonisolated(nonsending) (Ring) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(self)
            await disconnect()
            return value
        } catch {
            await disconnect()
            throw error
        }
    }
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
