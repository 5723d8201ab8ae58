/// The options of a ``Scrubber``.
public struct ScrubOptions: Hashable, Sendable {
    /// The kinds of data that are not replaced.
    public var kept: Set<ScrubKind>

    /// Creates options that replace all kinds but the given ones.
    public init(keeping kept: Set<ScrubKind> = []) {
        self.kept = kept
    }

    func keeps(_ kind: ScrubKind) -> Bool { kept.contains(kind) }
}
