/// A way to ask a ring for its nights.
public enum SleepRequestForm: Hashable, Sendable, CaseIterable {
    /// Big data with two bytes, as the vendor's app asks.
    case twoBytes
    /// Big data with the one byte FF.
    case oneByte
    /// Big data with nothing.
    case empty
    /// The command that rings had before big data.
    case oldCommand
}
