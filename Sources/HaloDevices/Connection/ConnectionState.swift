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
