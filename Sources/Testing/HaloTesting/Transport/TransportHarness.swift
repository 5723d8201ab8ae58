public import HaloTransport

/// A backend's transport and the control of a device, for the transport contract.
public protocol TransportHarness: Sendable {
    /// The type of the backend's transport.
    associatedtype Transport: BLETransport

    /// The transport with one reachable ``ContractPeripheral``. Other devices may be reachable too.
    var transport: Transport { get }

    /// An identity that no device has, in a form that the backend accepts: a made-up address or
    /// UUID.
    var absentDevice: PeripheralIdentity { get }

    /// The parts of the contract that this harness can check.
    var abilities: TransportAbilities { get }

    /// The maximum length in bytes of a write with response to the device.
    var maximumWriteLength: Int { get }

    /// The real time after which a wait counts as endless.
    var timeout: Duration { get }

    /// Gives the device instructions, which it then carries out, and returns the device.
    ///
    ///     try await hosted.modify { $0.order(instructions) }
    ///
    /// For a device in another process, instructions and device are `Codable`.
    func order(
        _ instructions: [ContractPeripheral.Instruction]
    ) async throws -> ContractPeripheral
}

extension TransportHarness {
    /// Twenty seconds of real time.
    public var timeout: Duration { .seconds(20) }

    /// 512 bytes: the longest value of an attribute.
    public var maximumWriteLength: Int { 512 }

    /// All abilities.
    public var abilities: TransportAbilities { .all }
}
