/// The subject of a fault: a kind of packet, or a connection.
package enum FaultSubject: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A notification or an indication.
    case notification
    /// A value written by a central, with or without response.
    case write
    /// A read, or a further part of a long read.
    case read
    /// The request to turn notifications on or off.
    case subscription
    /// The connection while it is established.
    case connection

    /// The name of the case.
    package var description: String { rawValue }

    /// `true` if the fault is possible for this subject.
    func admits(_ fault: LinkFault) -> Bool {
        switch fault.kind {
        case .stall, .disconnection, .delay: self != .connection
        case .loss: self == .notification || self == .write || self == .subscription
        case .duplication, .corruption, .truncation: self == .notification || self == .write
        case .reordering: self == .notification
        case .refusal, .silence: self == .write || self == .read || self == .subscription
        case .refusedCommand: self == .write
        case .shortPackets, .failedConnection: self == .connection
        }
    }
}
