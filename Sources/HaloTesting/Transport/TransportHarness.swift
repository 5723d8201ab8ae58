public import HaloTransport

/// What a backend's tests give the transport contract: a transport, and a hand on the device.
public protocol TransportHarness: Sendable {
    /// The backend.
    associatedtype Transport: BLETransport

    /// The transport on which one ``ContractPeripheral`` can be reached; other devices may be
    /// there too.
    var transport: Transport { get }

    /// A device that the backend could know by its text, and that is not there.
    var absentDevice: PeripheralIdentity { get }

    /// What of the contract can be checked here.
    var abilities: TransportAbilities { get }

    /// The longest value that the device can be given by a write with a response.
    var longestWrite: Int { get }

    /// How long real time may pass until a wait is taken for endless.
    var patience: Duration { get }

    /// Changes the device, and tells it so.
    func modify<Result: Sendable>(
        _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
    ) async throws -> Result
}

extension TransportHarness {
    /// Twenty seconds.
    public var patience: Duration { .seconds(20) }

    /// 512 bytes: the longest value of an attribute.
    public var longestWrite: Int { 512 }

    /// Everything.
    public var abilities: TransportAbilities { .all }
}
