/// The state of a computer's Bluetooth.
public enum AdapterState: Hashable, Sendable, CaseIterable {
    /// The state is not known yet.
    case unknown
    /// The computer has no Bluetooth adapter.
    case unsupported
    /// The program has no permission to use Bluetooth.
    case unauthorized
    case poweredOff
    case poweredOn
}
