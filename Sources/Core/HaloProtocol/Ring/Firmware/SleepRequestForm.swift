/// The forms of a request for sleep.
public enum SleepRequestForm: Hashable, Sendable, CaseIterable {
    /// A big-data request with two bytes, as the vendor's app sends it.
    case twoBytes
    /// A big-data request with the byte FF.
    case oneByte
    /// An empty big-data request.
    case empty
    /// The command of rings without big data.
    case oldCommand
}
