internal import HaloTransport

/// How it stands with the link to a device.
public enum ConnectionState: Hashable, Sendable {
    /// It is being made, for the first time.
    case connecting
    /// The device can be asked.
    case connected
    /// It was lost and is to be made again; counted from 0 with each loss.
    case reconnecting(attempt: Int)
    /// It is closed and stays so, and why.
    case disconnected(DeviceError)

    /// Whether the device can be asked.
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
