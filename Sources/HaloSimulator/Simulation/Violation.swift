public import HaloProtocol

/// A rule that a run of a simulation has broken.
public struct Violation: Error, Hashable, Sendable {
    /// Which rule; a list that can grow.
    public struct Kind: Hashable, Sendable {
        /// The rule in a word, for programs that read output.
        public let name: String

        /// A request has ended more than once, or one that nobody had made has.
        public static let endedTwice = Kind(name: "ended-twice")
        /// A request has not ended, though its time is long over.
        public static let neverEnded = Kind(name: "never-ended")
        /// An answer contradicts what the device holds.
        public static let untrueAnswer = Kind(name: "untrue-answer")
        /// An answer is made of something that the device did not send for it.
        public static let foreignAnswer = Kind(name: "foreign-answer")
        /// What may happen once only was written again.
        public static let repeatedWrite = Kind(name: "repeated-write")
        /// Something waits, and nothing would ever end the wait.
        public static let noDeadline = Kind(name: "no-deadline")
        /// Queues grew beyond their limits.
        public static let unboundedMemory = Kind(name: "unbounded-memory")
        /// The run goes round and round, and time does not pass.
        public static let endlessWork = Kind(name: "endless-work")
        /// A stream has ended more than once, or has gone on after its end.
        public static let streamAfterEnd = Kind(name: "stream-after-end")
        /// A stream has not ended, though it was stopped or its link is gone.
        public static let streamNeverEnded = Kind(name: "stream-never-ended")
        /// After all that happened, a simple question on a clean link was not answered.
        public static let unusable = Kind(name: "unusable")
    }

    /// Which rule.
    public let kind: Kind
    /// When it was broken.
    public let moment: Moment
    /// What happened, in a sentence.
    public let details: String

    /// Says which rule was broken, and how.
    public init(_ kind: Kind, at moment: Moment, _ details: String) {
        self.kind = kind
        self.moment = moment
        self.details = details
    }
}

extension Violation: CustomStringConvertible {
    /// When, and the sentence.
    public var description: String { "\(moment): \(details)" }
}

extension Violation.Kind: CustomStringConvertible {
    /// The rule in a word.
    public var description: String { name }
}
