/// What a ring does when it is asked for something.
public enum RingConduct: Hashable, Sendable, CaseIterable {
    /// It answers with what it has, be that "nothing stored".
    case answers
    /// It answers with its "no": a refusal, or "nothing" for a record.
    case refuses
    /// It sends nothing; but a light may go on, and what switches a ring off does so.
    case silent
}
