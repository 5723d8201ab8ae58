/// What a fault can happen to.
public enum FaultSubject: Hashable, Sendable, CaseIterable {
    /// A value that the device sends unasked, confirmed or not.
    case notification
    /// A value that a central writes, with a response or without.
    case write
    /// A read, or the reading on of a long value.
    case read
    /// The switching on or off of notifications.
    case subscription
    /// The coming about of a link.
    case connection
}

extension FaultSubject: CustomStringConvertible {
    /// What it is in one word.
    public var description: String {
        switch self {
        case .notification: "notification"
        case .write: "write"
        case .read: "read"
        case .subscription: "subscription"
        case .connection: "connection"
        }
    }

    /// Whether a fault can happen to it.
    func admits(_ fault: Fault) -> Bool {
        switch fault {
        case .stall, .disconnection: self != .connection
        case .loss: self == .notification || self == .write || self == .subscription
        case .duplication, .corruption, .truncation: self == .notification || self == .write
        case .reordering: self == .notification
        case .delay: self != .connection
        case .refusal, .silence: self == .write || self == .read || self == .subscription
        case .refusedCommand: self == .write
        case .shortPackets, .failedConnection: self == .connection
        }
    }
}
