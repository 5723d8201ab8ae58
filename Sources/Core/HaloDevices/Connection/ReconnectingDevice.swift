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

/// A device over a connection of this module. The class itself declares what ``ReconnectingDevice``
/// requires, as members that come from an internal protocol have no place in the documentation.
protocol ClientDevice: ReconnectingDevice {
    associatedtype Client: DeviceClient
    var connection: DeviceConnection<Client> { get }
    static var noun: String { get }
    /// Returns the device for another attempt after one has failed, and the delay before it; `nil`
    /// if it was the last one.
    ///
    /// - Parameter attempt: The number of attempts that were made after the first one.
    func successor(after error: DeviceError, attempt: Int) -> (device: Self, delay: Duration)?
}

extension ClientDevice {
    /// The connection states, for `connectionStates`.
    var connectionUpdates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in connection.stateLoop(holding: self) }
    }

    /// The kind of device, the identity and the connection state.
    var words: String {
        "\(Self.noun) \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }

    func successor(after error: DeviceError, attempt: Int) -> (device: Self, delay: Duration)? {
        nil
    }

    /// Connects for the first time, and returns the device. Further attempts together have the rest
    /// of the time, and the time once more.
    ///
    /// - Parameter isInReach: `true` for a device that was discovered just now: the policy does not
    ///   let the attempt wait for it, and further attempts have only the rest of the time.
    nonisolated(nonsending) func connected(
        within timeout: Duration, isInReach: Bool = false
    ) async throws(DeviceError) -> Self {
        let waitsForDevice = connection.reconnect.waitsForDevice && !isInReach
        var (device, left, attempt) = (self, timeout, 0)
        var end: Moment?
        while true {
            do throws(DeviceError) {
                try await device.connection.connect(within: left, waitsForDevice: waitsForDevice)
                return device
            } catch {
                guard let next = device.successor(after: error, attempt: attempt) else {
                    throw error
                }
                attempt += 1
                let first = device.connection.read { $0.firstDeadline }
                end = end ?? first.map { isInReach ? $0 : $0 + timeout }
                let now = time.now()
                guard let end, end > now + next.delay else { throw error }
                if next.delay > .zero {
                    do { try await time.clock.sleep(for: next.delay) } catch {
                        throw .taskCancelled
                    }
                }
                left = end.duration(since: time.now())
                device = next.device
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
