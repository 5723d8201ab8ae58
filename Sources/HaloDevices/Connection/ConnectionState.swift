internal import HaloTransport

/// The state of the connection to a device.
public enum ConnectionState: Hashable, Sendable {
    /// The first link is being made.
    case connecting
    /// The device can be asked.
    case connected
    /// The link was lost and is made again; attempts are counted from 0 with each loss.
    case reconnecting(attempt: Int)
    /// The connection is closed for good, and the error says why.
    case disconnected(DeviceError)

    /// `true` if the device can be asked.
    public var isConnected: Bool { self == .connected }
}

extension ConnectionState: CustomStringConvertible {
    /// The state in words, and why it stays so.
    public var description: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting(let attempt): "reconnecting, attempt \(attempt)"
        case .disconnected(let error): "disconnected: \(error)"
        }
    }
}

extension DeviceConnection.State {
    /// The connection, as an app sees it.
    var connectionState: ConnectionState {
        switch phase {
        case .idle: .connecting
        case .opening(let attempt), .preparing(let attempt, _, _):
            attempt.index.map { .reconnecting(attempt: $0) } ?? .connecting
        case .ready, .renewing: .connected
        case .waiting(let index, _, _): .reconnecting(attempt: index)
        case .closed(let error, _): .disconnected(error)
        }
    }
}

extension DeviceConnection {
    /// A loop over connection states: the current one, and each change.
    func stateLoop(holding handle: any AnyObject & Sendable) -> Loop<Client, ConnectionState> {
        Loop(self, holding: handle, .listens) {
            $0(&$1.states, &$1.turn)
        } begin: { number, state in
            state.states.send(state.connectionState, to: number, &state.turn)
            if case .closed = state.phase {
                state.states.finish(.success(()), of: number, &state.turn)
            }
        }
    }
}

/// Runs a body with a device, and disconnects when it is left, in whichever way.
nonisolated(nonsending) func using<Device, Value>(
    _ device: Device, _ body: nonisolated(nonsending) (Device) async throws -> Value,
    disconnect: nonisolated(nonsending) (Device) async -> Void
) async throws -> Value {
    do {
        let value = try await body(device)
        await disconnect(device)
        return value
    } catch {
        await disconnect(device)
        throw error
    }
}
