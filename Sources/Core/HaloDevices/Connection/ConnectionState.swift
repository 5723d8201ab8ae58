internal import HaloTransport

/// The state of the connection to a device.
public enum ConnectionState: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The first attempt to connect is under way.
    case connecting
    /// The device accepts requests.
    case connected
    /// The link was lost, and the connection is being restored. Attempts are counted from 0 after
    /// each loss.
    case reconnecting(attempt: Int)
    /// The connection is closed for good, for the reason in the error.
    case disconnected(DeviceError)

    /// `true` if the device accepts requests.
    public var isConnected: Bool { self == .connected }

    private enum CodingKeys: CodingKey {
        case state, attempt, error
    }

    private enum Name: String, Codable {
        case connecting, connected, reconnecting, disconnected
    }

    /// Decodes `state`, and `attempt` or `error` where it has one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try values.decode(Name.self, forKey: .state) {
            case .connecting: .connecting
            case .connected: .connected
            case .reconnecting:
                .reconnecting(attempt: try values.decode(Int.self, forKey: .attempt))
            case .disconnected: .disconnected(try values.decode(DeviceError.self, forKey: .error))
            }
    }

    /// Encodes `state`, and `attempt` or `error` where it has one.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .connecting: try values.encode(Name.connecting, forKey: .state)
        case .connected: try values.encode(Name.connected, forKey: .state)
        case .reconnecting(let attempt):
            try values.encode(Name.reconnecting, forKey: .state)
            try values.encode(attempt, forKey: .attempt)
        case .disconnected(let error):
            try values.encode(Name.disconnected, forKey: .state)
            try values.encode(error, forKey: .error)
        }
    }

    /// The state in words, with the error of a closed connection.
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
    var connectionState: ConnectionState {
        switch phase {
        case .idle: .connecting
        case .opening(let attempt), .preparing(let attempt, _):
            attempt.index.map { .reconnecting(attempt: $0) } ?? .connecting
        case .ready, .renewing: .connected
        case .waiting(let index, _, _): .reconnecting(attempt: index)
        case .closed(let error, _): .disconnected(error)
        }
    }
}

extension DeviceConnection {
    /// Begins a loop over connection states: the current one first, then each change.
    func stateLoop(holding handle: any AnyObject & Sendable) -> Loop<Client, ConnectionState> {
        Loop(self, holding: handle, .listens, among: \.states) { number, state in
            state.states.send(state.connectionState, to: number)
            if case .closed = state.phase { state.states.finish(.success(()), of: number) }
        }
    }
}
