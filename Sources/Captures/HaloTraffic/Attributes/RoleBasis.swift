package enum RoleBasis: Hashable, Sendable {
    /// The beginning of the connection is in the log.
    case recorded
    /// The options of the import.
    case given
    /// A packet that only a central or only a peripheral sends.
    case certain
    /// The packets of the attribute protocol, of which so many support the role, and so many
    /// contradict it.
    case likely(supporting: Int, contradicting: Int)
    /// No basis: the recorder is taken to be on the app's host.
    case assumed
}
