import HaloCapture

/// The kind of a write.
enum WriteKind: Hashable, Sendable {
    /// A write with response.
    case request
    /// A write without response.
    case command
    /// A signed write without response; the value is passed without the signature.
    case signed
    /// Prepared pieces that were executed together.
    case prepared

    /// The action that a capture line names.
    var action: CaptureAction {
        switch self {
        case .request, .prepared: .write
        case .command: .command
        case .signed: .signed
        }
    }
}
