/// What a scrubber is to leave alone.
public struct ScrubOptions: Hashable, Sendable {
    /// What stays as it is.
    public var kept: Set<ScrubKind>

    /// Everything is replaced but the given kinds.
    public init(keeping kept: Set<ScrubKind> = []) {
        self.kept = kept
    }

    func keeps(_ kind: ScrubKind) -> Bool { kept.contains(kind) }
}
