enum UnitStep: Hashable, Sendable {
    /// A unit of this many bytes was read: at least one, and no more than available.
    case read(Int)
    /// The unit has at least this many bytes, which is more than available.
    case needs(Int)
    /// This many bytes are to be skipped, even beyond the available ones.
    case skips(Int)
}
