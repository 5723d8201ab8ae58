public import HaloProtocol

/// The operation that transferred a value.
public enum CaptureAction: String, CaseIterable, Hashable, Sendable {
    /// A response to a read.
    case read
    /// A write with a response, in one packet or in prepared pieces.
    case write
    /// A write without a response.
    case command
    /// A write without a response, with a signature that is not part of the value.
    case signed
    /// A notification.
    case notified
    /// An indication.
    case indicated

    /// The direction of values with this action.
    public var direction: Direction {
        switch self {
        case .write, .command, .signed: .toDevice
        case .read, .notified, .indicated: .fromDevice
        }
    }
}
