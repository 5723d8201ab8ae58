internal import HaloProtocol
public import HaloTransport

extension Ring {
    /// The first ring that is heard of.
    ///
    /// Rings are told from other devices by what they advertise, and that is no proof: only
    /// connecting shows whether it is one.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Discovery {
        try await RingFinder(transport, options).find()
    }

    /// Connects to the first ring that is heard of.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport, options: RingOptions = RingOptions()
    ) async throws(DeviceError) -> Ring {
        let discovery = try await find(over: transport, options: options)
        return try await connect(to: discovery.identity, over: transport, options: options)
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
        try await core.connect()
        return Ring(core)
    }
}

/// Connects to the first ring that is heard of, and disconnects when the body is left, in
/// whichever way.
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
