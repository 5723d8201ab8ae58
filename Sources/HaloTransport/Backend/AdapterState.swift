/// Whether a computer's Bluetooth can be used.
public enum AdapterState: Hashable, Sendable, CaseIterable {
    /// Nobody knows yet.
    case unknown
    /// The computer has none.
    case unsupported
    /// The program may not use it.
    case unauthorized
    /// It is switched off.
    case poweredOff
    /// It is ready.
    case poweredOn
}
