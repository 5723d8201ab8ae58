internal import HaloProtocol
public import HaloTransport

/// A device that an app is connected to until it disconnects: ``Ring``, ``HeartRateSensor``,
/// ``LEDStrip``.
public protocol ReconnectingDevice: AnyObject, Sendable, CustomStringConvertible {
    /// The identity under which the device can be connected to again.
    var identity: PeripheralIdentity { get }
    /// The time of the transport.
    var time: any TransportTime { get }
    /// The current link, for operations that the class lacks; `nil` while there is none.
    var link: BLELink? { get }
    /// The current connection state.
    var connectionState: ConnectionState { get }
    /// The connection states: the current one first, then each change until the connection is
    /// closed.
    var connectionStates: DeviceUpdates<ConnectionState> { get }

    /// Waits until the device accepts requests; throws if the connection is closed. The wait has
    /// no timeout: it lasts as long as the policy has attempts.
    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError)

    /// Closes the connection for good, and returns when the link is closed.
    nonisolated(nonsending) func disconnect() async
}

protocol ClientDevice: ReconnectingDevice {
    associatedtype Client: DeviceClient
    var connection: DeviceConnection<Client> { get }
    static var noun: String { get }
    /// Returns the device for another attempt after the first one has failed; `nil` if it was the
    /// last one.
    func successor(after error: DeviceError) -> Self?
}

extension ClientDevice {
    public var identity: PeripheralIdentity { connection.identity }
    public var time: any TransportTime { connection.time }
    public var link: BLELink? { connection.link }
    public var connectionState: ConnectionState { connection.connectionState }
    public var connectionStates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in connection.stateLoop(holding: self) }
    }
    /// The kind of device, the identity and the connection state.
    public var description: String {
        "\(Self.noun) \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }

    public nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await connection.waitUntilConnected()
    }

    public nonisolated(nonsending) func disconnect() async {
        await connection.disconnectAndWait()
    }

    func successor(after error: DeviceError) -> Self? { nil }

    /// Connects for the first time, and returns the device. Further attempts have the rest of the
    /// time.
    ///
    /// - Parameter isInReach: `true` for a device that was discovered just now: the policy does not
    ///   let the attempt wait for it.
    nonisolated(nonsending) func connected(
        within timeout: Duration, isInReach: Bool = false
    ) async throws(DeviceError) -> Self {
        let waitsForDevice = connection.reconnect.waitsForDevice && !isInReach
        var (device, left) = (self, timeout)
        var end: Moment?
        while true {
            do throws(DeviceError) {
                try await device.connection.connect(within: left, waitsForDevice: waitsForDevice)
                return device
            } catch {
                guard let next = device.successor(after: error) else { throw error }
                // While Bluetooth is off, each attempt fails at once.
                if error.kind == .bluetoothOff { try? await time.clock.sleep(for: .seconds(1)) }
                end = end ?? device.connection.read { $0.firstDeadline }
                left = end?.duration(since: time.now()) ?? .zero
                guard left > .zero else { throw error }
                device = next
            }
        }
    }
}

nonisolated(nonsending) func using<Device: ReconnectingDevice, Value>(
    _ device: Device, _ body: nonisolated(nonsending) (Device) async throws -> Value
) async throws -> Value {
    do {
        let value = try await body(device)
        await device.disconnect()
        return value
    } catch {
        await device.disconnect()
        throw error
    }
}
